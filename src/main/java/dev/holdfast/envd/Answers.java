package dev.holdfast.envd;

import dev.holdfast.gateway.EventStream;
import dev.holdfast.gateway.Resets;
import jakarta.json.Json;
import jakarta.json.JsonBuilderFactory;
import jakarta.json.JsonObject;
import jakarta.json.JsonStructure;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Makes the answers, on a thread that may write them. */
final class Answers {

    /** Kept, because each look-up of the provider walks the class path. */
    static final JsonBuilderFactory BUILDERS = Json.createBuilderFactory(Map.of());

    static final MediaType STREAM = new MediaType("application", "connect+json");

    private static final JsonObject NOTHING = JsonObject.EMPTY_JSON_OBJECT;

    private static final int LITTLE = 64 * 1024;

    private static final String NO_INTERPRETER =
            "this sandbox has no interpreter: its agent was made before there were any, as the"
                    + " snapshot or the template it was made from; start one from the template"
                    + " code-interpreter-v1";

    private Answers() {}

    /**
     * @param body makes of the result what has the answer as its text
     */
    static <T> CompletionStage<Response> unary(
            Call call, CompletionStage<T> result, Function<T, ?> body) {
        // What a sandbox said is held until this thread has made text of it.
        return result.thenApply(value -> told(call, body.apply(value).toString()))
                .handleAsync(
                        (answer, failure) -> failure == null ? answer : refused(call, failure),
                        call.worker());
    }

    /** Leaves at the pace of the client, and holds no thread, where it is more than a little. */
    private static Response told(Call call, String json) {
        if (json.length() <= LITTLE) {
            return json(200, json);
        }
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        EventStream paced = new EventStream(call.exchange(), left -> {}, () -> {});
        paced.finish(body);
        return Response.ok(paced, MediaType.APPLICATION_JSON_TYPE)
                .header(HttpHeaders.CONTENT_LENGTH, body.length)
                .build();
    }

    static CompletionStage<Response> empty(Call call, CompletionStage<?> result) {
        return unary(call, result, done -> NOTHING);
    }

    /** A stream's refusals come inside the stream, whose status is 200; see {@link #unopened}. */
    static CompletionStage<Response> stream(
            Call call, Callable<CompletionStage<Response>> opening) {
        try {
            return opening.call();
        } catch (Exception refusal) {
            return CompletableFuture.completedFuture(unopened(call, refusal));
        }
    }

    /**
     * What a stream that never began answers. Clients read the body only at status 200; they know
     * an unknown user and a sandbox that is gone by the status.
     */
    static Response unopened(Call call, Throwable failure) {
        if (Failures.isUnreachable(failure) && call.isSandboxGone()) {
            return gone(call);
        }
        ConnectError error = Failures.connect(failure);
        return error.code() == ConnectCode.UNAUTHENTICATED
                ? json(error.code().status(), error.json())
                : Response.ok(Envelope.end(error), STREAM).build();
    }

    static Response refused(Call call, Throwable failure) {
        if (Failures.isUnreachable(failure) && call.isSandboxGone()) {
            return gone(call);
        }
        ConnectError error = Failures.connect(failure);
        return json(error.code().status(), error.json());
    }

    static Response refusedRest(Call call, Throwable failure) {
        if (Failures.isUnreachable(failure) && call.isSandboxGone()) {
            return gone(call);
        }
        RestError error = Failures.rest(failure);
        return json(error.status(), error.json());
    }

    /** For the code interpreter, whose clients show the text of a refusal as it is. */
    static Response refusedText(Call call, Throwable failure) {
        if (call.isSandboxGone()) {
            return gone(call);
        }
        if (Failures.isUnimplemented(failure)) {
            return InterpreterErrorMapper.text(501, NO_INTERPRETER);
        }
        RestError error = Failures.rest(failure);
        return InterpreterErrorMapper.text(error.status(), error.getMessage());
    }

    /** The same words as the gateway's: the client cannot tell who noticed first. */
    private static Response gone(Call call) {
        return json(
                502,
                BUILDERS.createObjectBuilder()
                        .add("sandboxId", call.sandboxId())
                        .add("message", "The sandbox was not found")
                        .add("code", 502)
                        .build());
    }

    /**
     * An answer before the request has come to its end. The container reads that end before it
     * sends what is not flushed, and it may never come; so this is flushed, and the connection is
     * cut when the client has had time to read it.
     */
    static Response early(Call call, Response answer) {
        byte[] body =
                answer.getEntity() instanceof byte[] bytes
                        ? bytes
                        : String.valueOf(answer.getEntity()).getBytes(StandardCharsets.UTF_8);
        EventStream flushed = new EventStream(call.exchange(), left -> {}, () -> {});
        flushed.finish(body);
        call.exchange().setPersistent(false);
        Resets.unlessItEnds(call.exchange());
        return Response.fromResponse(answer)
                .entity(flushed)
                .header(HttpHeaders.CONTENT_LENGTH, body.length)
                .build();
    }

    static Response json(int status, JsonStructure body) {
        return json(status, body.toString());
    }

    private static Response json(int status, String body) {
        return Response.status(status).type(MediaType.APPLICATION_JSON_TYPE).entity(body).build();
    }
}
