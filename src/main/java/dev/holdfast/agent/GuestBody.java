package dev.holdfast.agent;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Bytes that come out of a sandbox, behind what was promised of them. */
public final class GuestBody {

    /**
     * What was promised.
     *
     * @param path where they are, links followed
     * @param size of the whole file; of an archive unknown
     * @param offset where in it they begin
     * @param length how many come
     */
    public record Promise(GuestPath path, long size, long offset, long length) {
        static Promise of(Members members) {
            return new Promise(
                    ProbeLines.path(members.text("path")),
                    Math.max(0, members.number("size", 0)),
                    Math.max(0, members.number("offset", 0)),
                    Math.max(0, members.number("length", 0)));
        }
    }

    private final Promise promise;
    private final ProbeOutput output;
    private ByteBuffer first;
    private long left;

    /**
     * @param most how many bytes may come, whatever is written
     */
    GuestBody(Promise promise, ProbeOutput output, ByteBuffer first, long most) {
        this.promise = promise;
        this.output = output;
        this.first = first;
        this.left = most;
    }

    public Promise promise() {
        return promise;
    }

    /**
     * The next piece, or nothing at the end. One question at a time. More than may come is no piece
     * but a failure.
     */
    public CompletionStage<Optional<ByteBuffer>> next() {
        ByteBuffer rest = first;
        first = null;
        CompletionStage<Optional<ByteBuffer>> piece =
                rest != null && rest.hasRemaining()
                        ? CompletableFuture.completedStage(Optional.of(rest))
                        : output.next();
        return piece.thenApply(this::counted);
    }

    private Optional<ByteBuffer> counted(Optional<ByteBuffer> piece) {
        left -= piece.map(ByteBuffer::remaining).orElse(0);
        if (left < 0) {
            output.cancel();
            throw AgentException.reset("more bytes than were promised");
        }
        return piece;
    }

    /** The rest is not wanted. */
    public void cancel() {
        output.cancel();
    }
}
