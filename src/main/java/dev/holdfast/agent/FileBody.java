package dev.holdfast.agent;

import jakarta.json.JsonObject;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Content that is read in pieces, each when it is asked for: at most 256 KiB wait here. Asking for
 * the next piece gives the former one back. Whoever does not read to its end cancels it.
 */
public final class FileBody {

    private final CompletableFuture<Extent> extent = new CompletableFuture<>();
    private final Pieces pieces;
    private AgentStream stream;
    private long promised;

    /**
     * How much of the file comes.
     *
     * @param size of the whole file, in bytes
     * @param length of what comes, in bytes
     */
    public record Extent(long size, long length) {}

    private FileBody(Room room) {
        this.pieces = new Pieces(room.within(Bound.BYTES.held()));
    }

    static FileBody begin(AgentChannel channel, JsonObject request) {
        var body = new FileBody(channel.room());
        channel.begin(request, Bound.BYTES, body.new Receiving());
        return body;
    }

    /** How many bytes will come, known before the first of them. */
    public CompletionStage<Extent> extent() {
        return extent.copy();
    }

    /** The next piece, or nothing at the end. One question at a time. */
    public CompletionStage<Optional<ByteBuffer>> next() {
        return pieces.next(back -> stream.consumed(back));
    }

    /** The rest is not wanted. */
    public void cancel() {
        stream.cancel();
        pieces.drop();
    }

    private final class Receiving implements AgentStream.Listener {
        @Override
        public void begun(AgentStream from) {
            stream = from;
        }

        @Override
        public void accepted(Members result) {
            var size = Math.max(0, result.number("size", 0));
            var length = Math.max(0, result.number("length", size));
            promised = Math.min(length, size);
            extent.complete(new Extent(size, promised));
        }

        @Override
        public void received(int sub, ByteBuffer bytes) {
            promised -= bytes.remaining();
            if (promised < 0) {
                throw AgentException.tooLarge("more bytes than were promised");
            }
            pieces.add(bytes);
        }

        @Override
        public void ended(Members result) {
            finish(null);
        }

        @Override
        public void failed(AgentException reason) {
            extent.completeExceptionally(reason);
            finish(reason);
        }

        private void finish(AgentException reason) {
            extent.complete(new Extent(0, 0));
            pieces.end(reason);
        }
    }
}
