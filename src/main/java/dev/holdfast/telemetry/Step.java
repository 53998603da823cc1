package dev.holdfast.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;

/**
 * A piece of work that a collector is told of: when it began and ended, what it was part of, what
 * became of it. What is done within it, on whatever thread and node, is done with its {@link
 * #trail}. One that nobody is told of costs next to nothing.
 */
public final class Step implements AutoCloseable {

    private static final String PREFIX = "holdfast.";

    private final Span span;
    private final Trail trail;
    private final Trail.Scope scope;

    private Step(Span span, Trail trail, Trail.Scope scope) {
        this.span = span;
        this.trail = trail;
        this.scope = scope;
    }

    /** One that is on no thread yet. */
    static Step of(Span span, Trail trail) {
        return new Step(span, trail, () -> {});
    }

    /** Makes it the work of this thread until it is closed. */
    Step enter() {
        return new Step(span, trail, trail.open());
    }

    /** What log lines and further steps within this one have in common. */
    public Trail trail() {
        return trail;
    }

    /** Calls it by a better name than was known when it began. */
    public Step named(String name) {
        span.updateName(name);
        return this;
    }

    public Step with(String name, String value) {
        span.setAttribute(name, value);
        return this;
    }

    public Step with(String name, long value) {
        span.setAttribute(name, value);
        return this;
    }

    /**
     * What this thread knows of it by now: to be found in the log and at the collector by the same
     * words.
     */
    public void note() {
        if (span.isRecording()) {
            Trail.here()
                    .marks()
                    .forEach(
                            (mark, value) -> {
                                if (mark != Mark.TRACE) {
                                    span.setAttribute(
                                            AttributeKey.stringKey(PREFIX + mark.word()), value);
                                }
                            });
        }
    }

    /** It came to nothing; of the failure the kind alone is told, the log has the words. */
    public void failed(Throwable why) {
        failed(why.getClass().getSimpleName());
    }

    /**
     * It came to nothing.
     *
     * @param kind of a short list, so that failures can be counted by it
     */
    public void failed(String kind) {
        span.setAttribute(AttributeKey.stringKey("error.type"), kind);
        span.setStatus(StatusCode.ERROR);
    }

    /** It is over; again is no change. */
    public void end() {
        span.end();
    }

    /** It is over, and the thread does again what it did before. */
    @Override
    public void close() {
        note();
        end();
        scope.close();
    }
}
