package dev.holdfast.gateway;

import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.RequestBufferingHandler;
import io.undertow.util.AttachmentKey;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.xnio.XnioExecutor;

/**
 * Collects the body of a message without a thread, so that one that trickles in holds none, and
 * gives up on one that does not come to its end in time.
 *
 * <p>A body that is larger than what is collected goes on incomplete; whoever reads it refuses it,
 * and the rest is not waited for.
 */
final class MessageBodies implements HttpHandler {

    /** How long a client may take to read an answer that came before it had said all. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private static final AttachmentKey<XnioExecutor.Key> DEADLINE =
            AttachmentKey.create(XnioExecutor.Key.class);

    /** How long a message may take. */
    private final Duration patience =
            Duration.ofSeconds(Integer.getInteger("holdfast.gateway.message.patience", 60));

    private final HttpHandler next;
    private final HttpHandler collecting;

    /**
     * @param buffers how many pooled buffers, of 16 KiB, are collected at most
     */
    MessageBodies(HttpHandler next, int buffers) {
        this.next = next;
        this.collecting = new RequestBufferingHandler(this::collected, buffers);
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) throws Exception {
        if (!exchange.isRequestComplete()) {
            exchange.putAttachment(DEADLINE, after(exchange, patience, () -> late(exchange)));
        }
        collecting.handleRequest(exchange);
    }

    private void collected(HttpServerExchange exchange) throws Exception {
        XnioExecutor.Key deadline = exchange.removeAttachment(DEADLINE);
        if (deadline != null) {
            deadline.remove();
        }
        if (!exchange.isRequestComplete()) {
            cut(exchange);
        }
        next.handleRequest(exchange);
    }

    /** On the I/O thread, where the body is collected too: only one of the two happens. */
    private void late(HttpServerExchange exchange) {
        if (exchange.removeAttachment(DEADLINE) != null && !exchange.isResponseStarted()) {
            cut(exchange);
            GatewayAnswers.timedOut(exchange);
        }
    }

    private static void cut(HttpServerExchange exchange) {
        exchange.setPersistent(false);
        after(
                exchange,
                FAREWELL,
                () -> {
                    if (!exchange.isRequestComplete()) {
                        Resets.reset(exchange.getConnection());
                    }
                });
    }

    private static XnioExecutor.Key after(
            HttpServerExchange exchange, Duration delay, Runnable action) {
        return exchange.getIoThread().executeAfter(action, delay.toMillis(), TimeUnit.MILLISECONDS);
    }
}
