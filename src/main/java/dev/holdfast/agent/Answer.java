package dev.holdfast.agent;

import jakarta.json.JsonObject;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** One answer to one request. */
final class Answer {

    /** While an agent stands still it has as much time left as before. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private Answer() {}

    static <T> CompletionStage<T> to(
            AgentChannel channel, JsonObject request, Function<Members, T> reading) {
        return to(channel, request, Bound.ANSWER, reading);
    }

    static <T> CompletionStage<T> to(
            AgentChannel channel, JsonObject request, Bound bound, Function<Members, T> reading) {
        var answer = new CompletableFuture<T>();
        var stream =
                channel.begin(
                        request,
                        bound,
                        new AgentStream.Listener() {
                            @Override
                            public void ended(Members result) {
                                answer.complete(reading.apply(result));
                            }

                            @Override
                            public void failed(AgentException failure) {
                                answer.completeExceptionally(failure);
                            }
                        });
        return inTime(channel, stream, answer);
    }

    /**
     * An answer that may be larger than one JSON text: a JSON object per line, sent as a body. Its
     * entries are held until whatever was asked to follow has followed in the same thread.
     */
    static <T> CompletionStage<List<T>> lines(
            AgentChannel channel, JsonObject request, Bound bound, Function<Members, T> reading) {
        var listing = new Listing<>(bound, reading);
        return inTime(channel, channel.begin(request, bound, listing), listing.answer);
    }

    /**
     * Nobody waits for ever for an agent that does not answer; what streams has no such bound. Time
     * in which it stands still for a capture is not its own.
     */
    private static <T> CompletionStage<T> inTime(
            AgentChannel channel, AgentStream stream, CompletableFuture<T> answer) {
        giveUpAt(channel.agentTime() + channel.patience().toNanos(), channel, stream, answer);
        return answer;
    }

    private static void giveUpAt(
            long end, AgentChannel channel, AgentStream stream, CompletableFuture<?> answer) {
        var left = end - channel.agentTime();
        if (left <= 0) {
            stream.giveUp(
                    new AgentException(ErrorCode.DEADLINE, "the agent did not answer in time"));
            return;
        }
        var patience = new CompletableFuture<Void>();
        patience.completeOnTimeout(null, Math.max(left, LOOK_AGAIN.toNanos()), TimeUnit.NANOSECONDS)
                .thenRun(() -> giveUpAt(end, channel, stream, answer));
        answer.whenComplete((done, failure) -> patience.cancel(false));
    }

    private static final class Listing<T> implements AgentStream.Listener {

        private final CompletableFuture<List<T>> answer = new CompletableFuture<>();
        private final List<T> found = new ArrayList<>();
        private final Bound bound;
        private final Function<Members, T> reading;
        private AgentStream stream;
        private JsonLines lines;

        private Listing(Bound bound, Function<Members, T> reading) {
            this.bound = bound;
            this.reading = reading;
        }

        @Override
        public void begun(AgentStream from) {
            stream = from;
            lines = new JsonLines(bound, from.room());
        }

        @Override
        public void received(int sub, ByteBuffer bytes) {
            var cost = bytes.remaining();
            lines.read(bytes, this::found);
            stream.consumed(cost);
        }

        private void found(Members line, int cost) {
            stream.room().take(Bound.kept(cost));
            found.add(reading.apply(line));
        }

        @Override
        public void ended(Members result) {
            lines.finish(this::found);
            answer.complete(List.copyOf(found));
        }

        @Override
        public void failed(AgentException failure) {
            answer.completeExceptionally(failure);
        }
    }
}
