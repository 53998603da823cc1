package dev.holdfast.hop;

import io.undertow.connector.ByteBufferPool;
import io.undertow.util.Transfer;
import java.io.IOException;
import java.nio.channels.Channel;
import org.jboss.logging.Logger;
import org.xnio.ChannelExceptionHandler;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.channels.StreamSinkChannel;

/** Two connections that speak something else from now on: what comes by one leaves by the other. */
final class Joint {

    private static final Logger LOG = Logger.getLogger(Joint.class);

    private final StreamConnection outer;
    private final StreamConnection inner;

    Joint(StreamConnection outer, StreamConnection inner) {
        this.outer = outer;
        this.inner = inner;
    }

    void pour(ByteBufferPool pool) {
        pour(inner, outer, pool);
        pour(outer, inner, pool);
    }

    /** Ends both, and not politely; to be called on their thread. */
    void cut() {
        cut(outer);
        cut(inner);
    }

    private void pour(StreamConnection from, StreamConnection to, ByteBufferPool pool) {
        ChannelExceptionHandler<Channel> broken = (channel, e) -> cut();
        Transfer.initiateTransfer(
                from.getSourceChannel(),
                to.getSinkChannel(),
                ChannelListeners.closingChannelListener(),
                ChannelListeners.writeShutdownChannelListener(
                        ChannelListeners.<StreamSinkChannel>flushingChannelListener(
                                ChannelListeners.closingChannelListener(),
                                ChannelListeners.closingChannelExceptionHandler()),
                        ChannelListeners.closingChannelExceptionHandler()),
                broken,
                broken,
                pool);
    }

    static void cut(StreamConnection stream) {
        try {
            stream.setOption(Options.CLOSE_ABORT, true);
        } catch (IOException | IllegalArgumentException notOffered) {
            LOG.trace("closed without a reset", notOffered);
        }
        IoUtils.safeClose(stream);
    }
}
