package dev.holdfast.problem;

import dev.holdfast.telemetry.Step;
import dev.holdfast.telemetry.Traces;
import dev.holdfast.telemetry.Trail;
import jakarta.inject.Inject;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Puts the id on every answer and into every log line of the request; a servlet filter, so that
 * pages outside JAX-RS have it as well. The request is a step from here until its answer has ended.
 */
@WebFilter(
        urlPatterns = "/*",
        asyncSupported = true,
        dispatcherTypes = {DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR})
public class RequestIdFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;
    private static final String TRACEPARENT = "traceparent";
    private static final String STEP = Step.class.getName();

    @Inject transient Traces traces;

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        var id = RequestId.of(request).value();
        response.setHeader(RequestId.HEADER, id);
        if (request.getAttribute(STEP) instanceof Step begun) {
            follow(begun, request, response, chain); // dispatched once more
            return;
        }
        var trail = Trail.ofRequest(id, request.getHeader(TRACEPARENT), request.getRequestURI());
        var step = traces.request(trail, request.getMethod());
        request.setAttribute(STEP, step);
        try {
            follow(step, request, response, chain);
        } finally {
            endWithAnswer(step, request, response);
        }
    }

    private static void follow(
            Step step, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try (var scope = step.trail().open()) {
            try {
                chain.doFilter(request, response);
            } finally {
                step.note();
            }
        }
    }

    private static void endWithAnswer(
            Step step, HttpServletRequest request, HttpServletResponse response) {
        if (request.isAsyncStarted()) {
            try {
                request.getAsyncContext().addListener(new Ending(() -> end(step, response)));
                return;
            } catch (IllegalStateException over) {
                // Answered between the two lines.
            }
        }
        end(step, response);
    }

    private static void end(Step step, HttpServletResponse response) {
        step.with("http.response.status_code", response.getStatus());
        if (response.getStatus() >= HttpServletResponse.SC_INTERNAL_SERVER_ERROR) {
            step.failed(Integer.toString(response.getStatus()));
        }
        step.end();
    }

    private record Ending(Runnable end) implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {
            end.run();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            // Completed after this.
        }

        @Override
        public void onError(AsyncEvent event) {
            // Completed after this.
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
