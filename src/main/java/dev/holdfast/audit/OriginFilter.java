package dev.holdfast.audit;

import jakarta.inject.Inject;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Notes where a request comes from, once the container knows who sent it. */
@WebFilter(urlPatterns = "/*", asyncSupported = true)
public class OriginFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;

    @Inject private transient Origins origins;

    /** A setting that is malformed keeps the server from starting. */
    @Override
    public void init() throws ServletException {
        origins.read();
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        origins.of(request).begin(request);
        try {
            chain.doFilter(request, response);
        } finally {
            Origin.end();
        }
    }
}
