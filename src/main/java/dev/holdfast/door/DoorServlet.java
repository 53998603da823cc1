package dev.holdfast.door;

import dev.holdfast.openid.Entry;
import dev.holdfast.openid.OpenIds;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jboss.logging.Logger;
import org.wildfly.security.http.oidc.OidcSecurityContext;
import org.wildfly.security.http.oidc.RefreshableOidcSecurityContext;

/** Whoever comes to it has signed in at the provider; what they may here is another question. */
public class DoorServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = Logger.getLogger(DoorServlet.class);
    private static final String HOME = "/console/";

    /** The client does not take its own away: it leaves out their path. */
    private static final List<String> COOKIES =
            List.of(
                    "OAuth_Token_Request_State",
                    "code_verifier",
                    "session_random_value",
                    "holdfast-openid");

    private transient OpenIds openIds;

    @Override
    public void init() throws ServletException {
        try {
            openIds = (OpenIds) new InitialContext().lookup("java:global/holdfast/OpenIds");
        } catch (NamingException e) {
            throw new ServletException("Holdfast is not deployed as holdfast.war", e);
        }
        openIds.open(getServletContext().getContextPath());
    }

    @Override
    public void destroy() {
        try {
            openIds.close();
        } catch (RuntimeException e) {
            LOG.debug("what offered this way in has gone first", e);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (request.getPathInfo() != null) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
        } else if (request.getAttribute(OidcSecurityContext.class.getName())
                        instanceof RefreshableOidcSecurityContext vouched
                && vouched.getIDTokenString() != null) {
            let(vouched, request, response);
        } else {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
        }
    }

    private void let(
            RefreshableOidcSecurityContext vouched,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        Entry entry =
                openIds.enter(
                        vouched.getIDTokenString(),
                        vouched.getOidcClientConfiguration().getLogoutUrl(),
                        request);
        forget(request, response);
        if (entry instanceof Entry.Admitted admitted) {
            response.addHeader("Set-Cookie", admitted.cookie());
            response.sendRedirect(HOME);
        } else if (entry instanceof Entry.Stranger stranger) {
            DoorPage.of(stranger).send(response, HttpServletResponse.SC_FORBIDDEN);
        } else {
            DoorPage.late().send(response, HttpServletResponse.SC_FORBIDDEN);
        }
    }

    private static void forget(HttpServletRequest request, HttpServletResponse response) {
        var session = request.getSession(false);
        if (session != null) {
            session.invalidate();
        }
        for (String name : COOKIES) {
            var gone = new Cookie(name, "");
            gone.setPath(request.getContextPath());
            gone.setMaxAge(0);
            response.addCookie(gone);
        }
    }
}
