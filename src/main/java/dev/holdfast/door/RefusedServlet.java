package dev.holdfast.door;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.wildfly.security.http.oidc.AuthenticationError;

/** The page for whomever the client, or the container, refuses. */
public class RefusedServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (request.getDispatcherType() != DispatcherType.ERROR
                || !(request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE)
                        instanceof Integer status)) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        String reason =
                request.getAttribute(AuthenticationError.class.getName())
                                instanceof AuthenticationError error
                        ? error.getReason().name()
                        : "";
        DoorPage.of(status, reason).send(response, status);
    }
}
