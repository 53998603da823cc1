package dev.holdfast.envd;

import dev.holdfast.agent.Contexts;
import jakarta.json.JsonValue;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The contexts of a sandbox, and that there is an interpreter. */
@Path("/")
public class ContextsResource {

    @GET
    @Path("/health")
    public Response health() {
        return InterpreterErrorMapper.text(200, "OK");
    }

    @GET
    @Path("/contexts")
    public CompletionStage<Response> list() {
        Call call = Call.current();
        return answer(
                call, contexts(call).list(), found -> ExecutionMessages.contexts(found).toString());
    }

    @POST
    @Path("/contexts")
    public CompletionStage<Response> create(InputStream body) throws IOException {
        Call call = Call.current();
        Message request = Call.unary(body);
        var made =
                contexts(call)
                        .create(
                                ExecutionMessages.optional(request, "language"),
                                ExecutionMessages.optional(request, "cwd"));
        return answer(call, made, context -> ExecutionMessages.context(context).toString());
    }

    @DELETE
    @Path("/contexts/{id}")
    public CompletionStage<Response> remove(@PathParam("id") String id) {
        Call call = Call.current();
        return done(call, contexts(call).remove(ExecutionMessages.context(id)));
    }

    @POST
    @Path("/contexts/{id}/restart")
    public CompletionStage<Response> restart(@PathParam("id") String id) {
        Call call = Call.current();
        return done(call, contexts(call).restart(ExecutionMessages.context(id)));
    }

    private static Contexts contexts(Call call) {
        return call.agent().contexts();
    }

    private static CompletionStage<Response> done(Call call, CompletionStage<Void> work) {
        return answer(call, work, nothing -> JsonValue.NULL.toString());
    }

    private static <T> CompletionStage<Response> answer(
            Call call, CompletionStage<T> work, Function<T, String> body) {
        return work.thenApply(value -> ExecutionMessages.ascii(body.apply(value)))
                .handleAsync(
                        (text, failure) ->
                                failure == null
                                        ? Response.ok(text, MediaType.APPLICATION_JSON_TYPE).build()
                                        : Answers.refusedText(call, failure),
                        call.worker());
    }
}
