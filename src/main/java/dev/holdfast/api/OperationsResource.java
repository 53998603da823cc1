package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.access.Slug;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.capture.Captures;
import dev.holdfast.event.Waits;
import dev.holdfast.operation.OperationView;
import dev.holdfast.operation.Preference;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.snapshot.OperationState;
import dev.holdfast.snapshot.Operations;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.UploadId;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Captures as acts, the pauses and what forks capture in passing included. */
@Tag(name = "operations")
@Path("/projects/{project}/operations")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({Permission.Word.SNAPSHOTS_READ, Permission.Word.SANDBOXES_USE})
public class OperationsResource {

    @Inject Captures captures;
    @Inject Operations operations;
    @Inject Scope scope;

    @GET
    @Operation(
            operationId = "listOperations",
            summary = "List captures, newest first, by state if asked")
    public OperationPage list(
            @PathParam("project") String named,
            @QueryParam("state")
                    @Parameter(
                            description = "All, if absent",
                            schema =
                                    @Schema(
                                            enumeration = {
                                                "running",
                                                "done",
                                                "failed",
                                                "cancelled",
                                                "expired"
                                            }))
                    String state,
            @QueryParam("after") String after,
            @QueryParam("limit") @DefaultValue("50") String limit) {
        Project project = scope.project(named);
        int most = Cursor.limitSaid(limit);
        List<dev.holdfast.snapshot.Operation> found =
                operations.list(
                        project.id(),
                        Optional.ofNullable(state).map(OperationsResource::state),
                        Cursor.after(after, OperationsResource::place),
                        most + 1);
        List<OperationView> page =
                found.stream()
                        .limit(most)
                        .map(each -> OperationView.of(each, project.slug()))
                        .toList();
        return new OperationPage(page, found.size() > most ? next(found.get(most - 1)) : null);
    }

    @GET
    @Path("{upload}")
    @Operation(
            operationId = "getOperation",
            summary = "How far a capture is; Prefer: wait=N answers when it is over, or after N")
    @APIResponse(
            responseCode = "200",
            description = "How far it is, or what came of it",
            content = @Content(schema = @Schema(implementation = OperationView.class)))
    public CompletionStage<Response> get(
            @PathParam("project") String named,
            @PathParam("upload") String text,
            @HeaderParam(Preference.HEADER) List<String> prefer) {
        Project project = scope.project(named);
        UploadId upload = upload(text);
        Preference preference = Preference.of(prefer);
        boolean waits =
                preference.waiting().isPresent()
                        && operations.get(project.id(), upload).state() == OperationState.RUNNING;
        if (!waits) {
            return CompletableFuture.completedStage(shown(project, upload, preference));
        }
        return captures.outcome(upload, preference.patience(captures.patience()))
                .handle(
                        (over, failure) -> {
                            if (failure != null && !Waits.ranOut(failure)) {
                                throw new CompletionException(Waits.cause(failure));
                            }
                            return shown(project, upload, preference);
                        });
    }

    /** The operation stays and says so, therefore no DELETE. */
    @POST
    @Path("{upload}/cancel")
    @Consumes(MediaType.WILDCARD) // it has no body
    @RolesAllowed(Permission.Word.SANDBOXES_USE)
    @Operation(
            operationId = "cancelOperation",
            summary = "End a capture that is under way; its sandbox goes on as before")
    @APIResponse(responseCode = "200", description = "It is cancelled, its name is free")
    @Audited(value = Action.SNAPSHOT_CANCEL, type = "operation", id = "upload")
    @Refuses(Reason.OPERATION_NOT_CANCELLABLE)
    public OperationView cancel(
            @PathParam("project") String named, @PathParam("upload") String upload) {
        Project project = scope.project(named);
        Optional<Slug> slug = project.slug();
        return OperationView.of(operations.cancel(project.id(), upload(upload)), slug);
    }

    /**
     * A place and not a row: the last one of a page may be removed before the next is asked for.
     */
    private static String next(dev.holdfast.snapshot.Operation last) {
        return new Cursor(last.startedAt(), last.snapshot().toString()).token();
    }

    private static Optional<Operations.Place> place(Cursor last) {
        return SnapshotId.parse(last.id()).map(id -> new Operations.Place(last.at(), id));
    }

    private Response shown(Project project, UploadId upload, Preference preference) {
        Response.ResponseBuilder answer =
                Response.ok(OperationView.of(operations.get(project.id(), upload), project.slug()));
        preference.applied(false).ifPresent(applied -> answer.header(Preference.APPLIED, applied));
        return answer.build();
    }

    private static OperationState state(String word) {
        return OperationState.of(word)
                .orElseThrow(
                        () ->
                                Problem.invalid(
                                        "state",
                                        "\"state\" is running, done, failed, cancelled or"
                                                + " expired."));
    }

    private static UploadId upload(String text) {
        return SnapshotId.parse(text)
                .map(SnapshotId::value)
                .map(UploadId::new)
                .orElseThrow(
                        () ->
                                new Problem(
                                        Reason.OPERATION_NOT_FOUND,
                                        "An operation is named by its upload ID, a UUID."));
    }
}
