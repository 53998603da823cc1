package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.fleet.Vacancies;
import dev.holdfast.fleet.Worker;
import dev.holdfast.fleet.Workers;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The workers, for whoever administers the service. */
@Tag(name = "workers")
@Path("/admin/workers")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.WILDCARD) // nothing here has a body
@RolesAllowed(Permission.Word.SERVICE_ADMIN)
public class WorkersResource {

    @Inject Sandboxes sandboxes;
    @Inject DatabaseTime time;
    @Inject Vacancies vacancies;
    @Inject Workers workers;

    @GET
    @Operation(operationId = "listWorkers", summary = "All workers, with their leases and loads")
    public WorkersView list() {
        Instant now = time.now();
        Map<String, Long> loads = vacancies.loads();
        return new WorkersView(
                workers.all().stream()
                        .map(
                                worker ->
                                        WorkerView.of(
                                                worker,
                                                now,
                                                loads.getOrDefault(worker.id(), 0L),
                                                staying(worker)))
                        .toList());
    }

    @GET
    @Path("{worker}")
    @Operation(operationId = "getWorker", summary = "A worker, with its lease and its load")
    public WorkerView get(@PathParam("worker") String id) {
        return view(workers.get(id));
    }

    @PUT
    @Path("{worker}/drain")
    @Audited(value = Action.WORKER_DRAIN, type = "worker", id = "worker")
    @Operation(
            operationId = "drainWorker",
            summary = "Has a worker take no more sandboxes and pause those that it runs",
            description =
                    "It answers at once; the worker's state tells when nothing runs there any more."
                            + " What was paused goes on elsewhere with the next request for it.")
    public WorkerView drain(@PathParam("worker") String id) {
        return view(workers.drain(id));
    }

    @DELETE
    @Path("{worker}/drain")
    @Audited(value = Action.WORKER_UNDRAIN, type = "worker", id = "worker")
    @Operation(
            operationId = "undrainWorker",
            summary = "Has a worker take sandboxes again; so does a start of it")
    public WorkerView undrain(@PathParam("worker") String id) {
        return view(workers.undrain(id));
    }

    private WorkerView view(Worker worker) {
        return WorkerView.of(
                worker,
                time.now(),
                vacancies.loads().getOrDefault(worker.id(), 0L),
                staying(worker));
    }

    private List<Sandbox> staying(Worker worker) {
        return worker.drainingAt().isEmpty()
                ? List.of()
                : sandboxes.ofWorker(worker.id()).stream()
                        .filter(sandbox -> sandbox.state() != SandboxState.PAUSED)
                        .toList();
    }
}
