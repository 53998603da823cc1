package dev.holdfast.gateway;

import io.undertow.server.ServerConnection;
import java.io.IOException;
import org.xnio.IoUtils;
import org.xnio.Options;

/** Ends a connection so that nobody can take it for a polite end. */
public final class Resets {

    private Resets() {}

    /** Resets the connection; a chunked answer that was under way is not ended. */
    public static void reset(ServerConnection connection) {
        try {
            connection.setOption(Options.CLOSE_ABORT, true);
        } catch (IOException | IllegalArgumentException notOffered) {
            // Closing without the last chunk is the next best thing, and also understood.
        }
        IoUtils.safeClose(connection);
    }
}
