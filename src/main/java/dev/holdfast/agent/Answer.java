package dev.holdfast.agent;

import jakarta.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** One answer to one request. */
final class Answer {

    private static final int MOST_LISTED = 64 * 1024 * 1024;

    private Answer() {}

    static <T> CompletionStage<T> to(
            AgentChannel channel, JsonObject request, Function<Members, T> reading) {
        var answer = new CompletableFuture<T>();
        channel.begin(
                request,
                new AgentStream.Listener() {
                    @Override
                    public void ended(Members result) {
                        try {
                            answer.complete(reading.apply(result));
                        } catch (RuntimeException nonsense) {
                            answer.completeExceptionally(nonsense);
                        }
                    }

                    @Override
                    public void failed(AgentException failure) {
                        answer.completeExceptionally(failure);
                    }
                });
        return answer;
    }

    /** An answer that may be larger than one JSON text: a JSON object per line, sent as a body. */
    static <T> CompletionStage<List<T>> lines(
            AgentChannel channel, JsonObject request, Function<Members, T> reading) {
        var body = FileBody.begin(channel, request);
        return collect(channel, body, new ByteArrayOutputStream())
                .thenApply(text -> parse(text, reading));
    }

    private static <T> List<T> parse(byte[] text, Function<Members, T> reading) {
        var found = new ArrayList<T>();
        for (int start = 0, end; start < text.length; start = end + 1) {
            end = start;
            while (end < text.length && text[end] != '\n') {
                end++;
            }
            found.add(reading.apply(Members.parse(Arrays.copyOfRange(text, start, end))));
        }
        return List.copyOf(found);
    }

    private static CompletionStage<byte[]> collect(
            AgentChannel channel, FileBody body, ByteArrayOutputStream text) {
        return body.next()
                .thenComposeAsync(
                        piece -> {
                            if (piece.isEmpty()) {
                                return CompletableFuture.completedFuture(text.toByteArray());
                            }
                            var bytes = new byte[piece.get().remaining()];
                            piece.get().get(bytes);
                            text.writeBytes(bytes);
                            if (text.size() > MOST_LISTED) {
                                body.cancel();
                                return CompletableFuture.failedFuture(
                                        new AgentException(
                                                ErrorCode.RESOURCE_EXHAUSTED,
                                                "the listing is too large"));
                            }
                            return collect(channel, body, text);
                        },
                        channel.executor());
    }
}
