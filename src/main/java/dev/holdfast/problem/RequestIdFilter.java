package dev.holdfast.problem;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Puts the id on every answer; a servlet filter, so that pages outside JAX-RS have it as well. */
@WebFilter(urlPatterns = "/*", asyncSupported = true)
public class RequestIdFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        response.setHeader(RequestId.HEADER, RequestId.of(request).value());
        chain.doFilter(request, response);
    }
}
