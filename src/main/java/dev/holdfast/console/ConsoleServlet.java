package dev.holdfast.console;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The console's files, and its one page at every other address below {@code /console/}. */
@WebServlet(urlPatterns = "/console/*", asyncSupported = true)
public class ConsoleServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final String HOME = "/console/";
    private static final String REPORTS = "/reports";

    @Inject transient ConsoleConfig config;
    @Inject transient Reports reports;

    private transient Assets assets;
    private transient ContentPolicy policy;

    @Override
    public void init() {
        assets = new Assets(getServletContext());
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String path = request.getPathInfo();
        if (!config.isServed()) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
        } else if (path == null) {
            response.sendRedirect(HOME);
        } else {
            serve(path, request, response);
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (!config.isServed() || !REPORTS.equals(request.getPathInfo())) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        reports.take(request.getInputStream());
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }

    private void serve(String path, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        var file = assets.find(path);
        if (file.isEmpty() && Assets.isFile(path)) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        protect(response);
        file.orElse(assets.page()).send(request, response);
    }

    private void protect(HttpServletResponse response) throws IOException {
        if (policy == null) {
            policy = ContentPolicy.of(assets.page().content());
        }
        response.setHeader("Content-Security-Policy", policy.text());
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        response.setHeader(
                "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()");
    }
}
