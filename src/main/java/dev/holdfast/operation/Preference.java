package dev.holdfast.operation;

import dev.holdfast.event.Waits;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * How a caller wants long work answered: the header {@code Prefer} of RFC 7240. What is not
 * understood in it is ignored, as the RFC demands.
 *
 * @param async the caller takes 202 and the address of the operation
 * @param waiting how long it waits for more than that
 */
public record Preference(boolean async, Optional<Duration> waiting) {

    public static final String HEADER = "Prefer";
    public static final String APPLIED = "Preference-Applied";

    private static final String ASYNC = "respond-async";
    private static final Pattern WAIT = Pattern.compile("wait\\s*=\\s*\"?(\\d{1,9})\"?");

    /** Reads the header, which may come several times; null when it did not come. */
    public static Preference of(List<String> headers) {
        boolean async = false;
        Optional<Duration> waiting = Optional.empty();
        for (String header : headers == null ? List.<String>of() : headers) {
            for (String token : header.split(",")) {
                String word = token.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
                var found = WAIT.matcher(word);
                async |= word.equals(ASYNC);
                if (waiting.isEmpty() && found.matches()) {
                    waiting = Optional.of(Duration.ofSeconds(Long.parseLong(found.group(1))));
                }
            }
        }
        return new Preference(async, waiting);
    }

    /**
     * Answers long work so: what came of it, or 202 when the caller takes that and it takes longer.
     *
     * @param most the longest that the server puts an answer off
     * @param outcome what comes of the work, or a failure, after no more than so long
     * @param goesOn what it fails with when it is not over by then
     * @param done what is answered then; it may refuse
     * @param accepted what 202 says
     */
    public <T> CompletionStage<Response> answer(
            Duration most,
            Function<Duration, CompletionStage<T>> outcome,
            Reason goesOn,
            Function<T, Response.ResponseBuilder> done,
            Supplier<Response.ResponseBuilder> accepted) {
        Duration patience = patience(most);
        if (patience.isZero() && async) {
            return CompletableFuture.completedStage(early(accepted));
        }
        return outcome.apply(patience)
                .handle(
                        (found, failure) ->
                                failure == null
                                        ? marked(done.apply(found), false)
                                        : late(Waits.cause(failure), goesOn, accepted));
    }

    private Response late(
            Throwable cause, Reason goesOn, Supplier<Response.ResponseBuilder> accepted) {
        if (async && cause instanceof Problem problem && problem.reason() == goesOn) {
            return early(accepted);
        }
        throw new CompletionException(cause);
    }

    private Response early(Supplier<Response.ResponseBuilder> accepted) {
        return marked(accepted.get(), true);
    }

    /** With the header that says what was honoured. */
    public Response marked(Response.ResponseBuilder answer, boolean early) {
        applied(early).ifPresent(honoured -> answer.header(APPLIED, honoured));
        return answer.build();
    }

    /** How long the answer may be put off, given the longest that the server does. */
    public Duration patience(Duration most) {
        Duration asked = waiting.orElse(async ? Duration.ZERO : most);
        return asked.compareTo(most) < 0 ? asked : most;
    }

    /** What of it was honoured; empty when nothing was asked. */
    public Optional<String> applied(boolean answeredEarly) {
        List<String> honoured = new ArrayList<>();
        if (async && answeredEarly) {
            honoured.add(ASYNC);
        }
        waiting.ifPresent(asked -> honoured.add("wait=" + asked.toSeconds()));
        return honoured.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", honoured));
    }
}
