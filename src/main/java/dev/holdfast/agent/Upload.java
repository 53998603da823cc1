package dev.holdfast.agent;

import jakarta.json.JsonObject;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Content on its way into the sandbox, to a file or to the input of a process; the result comes
 * when all of it has arrived.
 */
public final class Upload<T> {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final AgentStream stream;

    Upload(AgentChannel channel, JsonObject request, Function<Members, T> reading) {
        this.stream =
                channel.begin(
                        request,
                        Bound.ANSWER,
                        new AgentStream.Listener() {
                            @Override
                            public void ended(Members members) {
                                result.complete(reading.apply(members));
                            }

                            @Override
                            public void failed(AgentException failure) {
                                result.completeExceptionally(failure);
                            }
                        });
    }

    /**
     * Completes when the buffer may be used again; wait for it before sending on, so that the
     * sandbox sets the pace.
     */
    public CompletionStage<Void> send(ByteBuffer bytes) {
        return stream.send(bytes, false);
    }

    /** That was all. */
    public CompletionStage<T> finish() {
        stream.send(NOTHING, true);
        return result.copy();
    }

    /** All at once: the last of it and that it was the last. */
    public CompletionStage<T> finish(ByteBuffer bytes) {
        stream.send(bytes, true)
                .exceptionally(
                        failure -> {
                            result.completeExceptionally(failure);
                            return null;
                        });
        return result.copy();
    }

    /** Completes also when the agent refuses before everything was sent. */
    public CompletionStage<T> result() {
        return result.copy();
    }

    /** What was sent stays where it arrived; nothing more comes. */
    public void cancel() {
        stream.cancel();
        result.completeExceptionally(AgentException.unavailable("cancelled"));
    }
}
