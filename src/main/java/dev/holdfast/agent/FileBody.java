package dev.holdfast.agent;

import jakarta.json.JsonObject;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Content that is read in pieces, each when it is asked for: at most 256 KiB wait here. Asking for
 * the next piece gives the former one back.
 */
public final class FileBody {

    private final CompletableFuture<Extent> extent = new CompletableFuture<>();
    private final Deque<ByteBuffer> pieces = new ArrayDeque<>();
    private CompletableFuture<Optional<ByteBuffer>> asked;
    private AgentStream stream;
    private AgentException failure;
    private boolean over;
    private int lent;

    /**
     * How much of the file comes.
     *
     * @param size of the whole file, in bytes
     * @param length of what comes, in bytes
     */
    public record Extent(long size, long length) {}

    private FileBody() {}

    static FileBody begin(AgentChannel channel, JsonObject request) {
        var body = new FileBody();
        synchronized (body) {
            body.stream = channel.begin(request, body.new Receiving());
        }
        return body;
    }

    /** How many bytes will come, known before the first of them. */
    public CompletionStage<Extent> extent() {
        return extent.copy();
    }

    /** The next piece, or nothing at the end. One question at a time. */
    public CompletionStage<Optional<ByteBuffer>> next() {
        int back;
        CompletableFuture<Optional<ByteBuffer>> answer;
        synchronized (this) {
            if (asked != null) {
                throw new IllegalStateException("the former piece has not come yet");
            }
            back = lent;
            lent = 0;
            answer = new CompletableFuture<>();
            asked = answer;
        }
        stream().consumed(back);
        answer();
        return answer;
    }

    /** The rest is not wanted. */
    public void cancel() {
        stream().cancel();
    }

    private synchronized AgentStream stream() {
        return stream;
    }

    private void answer() {
        CompletableFuture<Optional<ByteBuffer>> waiting;
        Optional<ByteBuffer> piece;
        synchronized (this) {
            if (asked == null || pieces.isEmpty() && !over) {
                return;
            }
            waiting = asked;
            asked = null;
            piece = Optional.ofNullable(pieces.poll());
            lent = piece.map(ByteBuffer::remaining).orElse(0);
        }
        if (piece.isEmpty() && failure != null) {
            waiting.completeExceptionally(failure);
        } else {
            waiting.complete(piece);
        }
    }

    private final class Receiving implements AgentStream.Listener {
        @Override
        public void accepted(Members result) {
            var size = Math.max(0, result.number("size", 0));
            var length = Math.max(0, result.number("length", size));
            extent.complete(new Extent(size, Math.min(length, size)));
        }

        @Override
        public void received(int sub, ByteBuffer bytes) {
            synchronized (FileBody.this) {
                pieces.add(bytes);
            }
            answer();
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
            synchronized (FileBody.this) {
                over = true;
                failure = reason;
            }
            extent.complete(new Extent(0, 0));
            answer();
        }
    }
}
