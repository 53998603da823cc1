package dev.holdfast.gateway;

import io.undertow.server.HttpServerExchange;
import io.undertow.server.ServerConnection;
import io.undertow.util.Protocols;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.xnio.IoUtils;
import org.xnio.Options;

/** Ends a connection so that nobody can take it for a polite end. */
public final class Resets {

    /** How long a client may go on sending after its answer, on a connection of its own. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    /** The same where other requests share the connection and would end with it. */
    private static final Duration SHARED_FAREWELL = Duration.ofSeconds(60);

    private Resets() {}

    /**
     * Cuts off a client that was answered before it had said all, and goes on: the container would
     * read on to an end that may never come.
     */
    public static void unlessItEnds(HttpServerExchange exchange) {
        boolean shared = exchange.getProtocol().equals(Protocols.HTTP_2_0);
        exchange.getIoThread()
                .executeAfter(
                        () -> {
                            if (!exchange.isRequestComplete()) {
                                reset(exchange);
                            }
                        },
                        (shared ? SHARED_FAREWELL : FAREWELL).toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /**
     * Resets the connection; a chunked answer that was under way is not ended. An exchange that is
     * complete has let go of its connection, which may carry another request by now; unless it was
     * upgraded, then nobody else ever gets it.
     */
    public static void reset(HttpServerExchange exchange) {
        if (exchange.isComplete() && !exchange.isUpgrade()) {
            return;
        }
        ServerConnection connection = exchange.getConnection();
        try {
            connection.setOption(Options.CLOSE_ABORT, true);
        } catch (IOException | IllegalArgumentException notOffered) {
            // Closing without the last chunk is the next best thing, and also understood.
        }
        IoUtils.safeClose(connection);
    }
}
