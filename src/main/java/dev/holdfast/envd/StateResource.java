package dev.holdfast.envd;

import dev.holdfast.agent.Usage;
import jakarta.json.JsonObject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** How the sandbox is. */
@Path("/")
public class StateResource {

    /** Two looks at the processors' time this far apart make a percentage. */
    private static final Duration LOOK = Duration.ofMillis(250);

    private final Clock clock = Clock.systemUTC();

    /** That the gateway let the request through is the answer. */
    @GET
    @Path("/health")
    public Response health() {
        return Response.noContent().build();
    }

    @GET
    @Path("/metrics")
    public CompletionStage<Response> metrics() {
        Call call = Call.current();
        return call.agent()
                .usage()
                .thenCompose(
                        first ->
                                later(call)
                                        .thenApply(
                                                second ->
                                                        metrics(
                                                                first,
                                                                second,
                                                                call.visit()
                                                                        .sandbox()
                                                                        .diskLimit())))
                .handleAsync(
                        (metrics, failure) ->
                                failure == null
                                        ? Answers.json(200, metrics)
                                        : Answers.refusedRest(call, failure),
                        call.worker());
    }

    @GET
    @Path("/envs")
    public CompletionStage<Response> environment() {
        Call call = Call.current();
        return EnvironmentFile.read(call.agent())
                .handleAsync(
                        (variables, failure) -> {
                            if (failure != null) {
                                return Answers.refusedRest(call, failure);
                            }
                            var json = Answers.BUILDERS.createObjectBuilder();
                            variables.forEach(json::add);
                            return Answers.json(200, json.build());
                        },
                        call.worker());
    }

    private static CompletionStage<Usage> later(Call call) {
        CompletableFuture<Usage> second = new CompletableFuture<>();
        call.exchange()
                .getIoThread()
                .executeAfter(
                        () ->
                                call.agent()
                                        .usage()
                                        .whenComplete(
                                                (usage, failure) -> {
                                                    if (failure == null) {
                                                        second.complete(usage);
                                                    } else {
                                                        second.completeExceptionally(failure);
                                                    }
                                                }),
                        LOOK.toMillis(),
                        TimeUnit.MILLISECONDS);
        return second;
    }

    /** The kernel of a sandbox does not know that its disk ends. */
    private JsonObject metrics(Usage first, Usage second, long diskLimit) {
        double worked = second.processorTime().minus(first.processorTime()).toMillis();
        double passed = second.uptime().minus(first.uptime()).toMillis();
        double share = passed <= 0 ? 0 : 100 * worked / passed / Math.max(1, second.processors());
        return Answers.BUILDERS
                .createObjectBuilder()
                .add("ts", clock.instant().getEpochSecond())
                .add("cpu_count", second.processors())
                .add("cpu_used_pct", Math.round(Math.max(0, Math.min(100, share)) * 100) / 100.0)
                .add("mem_total", second.memoryTotal())
                .add("mem_used", second.memoryUsed())
                .add("mem_cache", second.memoryCache())
                .add("disk_used", Math.min(second.diskUsed(), diskLimit))
                .add("disk_total", Math.min(second.diskTotal(), diskLimit))
                .build();
    }
}
