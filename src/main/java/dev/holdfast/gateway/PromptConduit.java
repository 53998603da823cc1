package dev.holdfast.gateway;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.xnio.channels.StreamSourceChannel;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.StreamSinkConduit;

/**
 * Hands on at once what is written. An HTTP/2 stream keeps data until its frame is full, and the
 * proxy flushes only at the end: without this an event would wait for those that follow it.
 */
final class PromptConduit extends AbstractStreamSinkConduit<StreamSinkConduit> {

    PromptConduit(StreamSinkConduit next) {
        super(next);
    }

    @Override
    public int write(ByteBuffer data) throws IOException {
        return (int) handedOn(super.write(data));
    }

    @Override
    public long write(ByteBuffer[] data, int offset, int length) throws IOException {
        return handedOn(super.write(data, offset, length));
    }

    @Override
    public long transferFrom(FileChannel source, long position, long count) throws IOException {
        return handedOn(super.transferFrom(source, position, count));
    }

    @Override
    public long transferFrom(StreamSourceChannel source, long count, ByteBuffer through)
            throws IOException {
        return handedOn(super.transferFrom(source, count, through));
    }

    /** What the window does not let out now goes when it opens; nobody has to ask again. */
    private long handedOn(long written) throws IOException {
        if (written > 0) {
            flush();
        }
        return written;
    }
}
