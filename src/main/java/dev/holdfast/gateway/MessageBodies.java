package dev.holdfast.gateway;

import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.RequestBufferingHandler;
import io.undertow.util.AttachmentKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.xnio.XnioExecutor;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.StreamSourceConduit;

/**
 * Collects the body of a message without a thread, so that one that trickles in holds none, and
 * gives up on one that does not come to its end in time.
 *
 * <p>A body that is larger than what is collected goes on incomplete; whoever reads it refuses it,
 * and the rest is not waited for.
 */
final class MessageBodies implements HttpHandler {

    private static final AttachmentKey<XnioExecutor.Key> DEADLINE =
            AttachmentKey.create(XnioExecutor.Key.class);

    /**
     * Set when the end of the body was seen. The exchange itself says that a body is complete only
     * when what was collected has been read again.
     */
    private static final AttachmentKey<Boolean> WHOLE = AttachmentKey.create(Boolean.class);

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
        if (exchange.isRequestComplete()) {
            exchange.putAttachment(WHOLE, true);
        } else {
            exchange.addRequestWrapper((factory, of) -> new Ending(factory.create(), of));
            exchange.putAttachment(DEADLINE, after(exchange, patience, () -> late(exchange)));
        }
        collecting.handleRequest(exchange);
    }

    private void collected(HttpServerExchange exchange) throws Exception {
        XnioExecutor.Key deadline = exchange.removeAttachment(DEADLINE);
        if (deadline != null) {
            deadline.remove();
        }
        if (exchange.getAttachment(WHOLE) == null) {
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
        Resets.unlessItEnds(exchange);
    }

    private static XnioExecutor.Key after(
            HttpServerExchange exchange, Duration delay, Runnable action) {
        return exchange.getIoThread().executeAfter(action, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Notes the end of a body. */
    private static final class Ending extends AbstractStreamSourceConduit<StreamSourceConduit> {
        private final HttpServerExchange exchange;

        Ending(StreamSourceConduit next, HttpServerExchange exchange) {
            super(next);
            this.exchange = exchange;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            int count = next.read(into);
            if (count < 0) {
                exchange.putAttachment(WHOLE, true);
            }
            return count;
        }
    }
}
