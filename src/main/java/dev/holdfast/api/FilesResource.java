package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.access.Slug;
import dev.holdfast.contents.AskedPath;
import dev.holdfast.contents.Contents;
import dev.holdfast.gateway.ContentRange;
import dev.holdfast.gateway.OutgoingContent;
import dev.holdfast.problem.Reason;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.handlers.ServletRequestContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What is in a snapshot, without a restore for use. */
@Tag(name = "snapshots")
@Path("/projects/{project}/snapshots/{reference}/files")
@RequestScoped
@RolesAllowed(Permission.Word.SNAPSHOTS_READ)
@Refuses({
    Reason.FILE_NOT_FOUND,
    Reason.FILE_NOT_READABLE,
    Reason.SNAPSHOT_NOT_SAVED,
    Reason.INCOMPATIBLE_RUNTIME,
    Reason.MISSING_PART,
    Reason.CORRUPT_PART,
    Reason.VOLUME_DELETED,
    Reason.VOLUME_ELSEWHERE,
    Reason.NO_WORKER,
    Reason.BROKER_UNAVAILABLE,
    Reason.WORKER_BUSY,
    Reason.CONTENTS_UNAVAILABLE,
    Reason.SERVER_STOPPING
})
public class FilesResource {

    @Inject Caller caller;
    @Inject Contents contents;
    @Inject Scope scope;

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "listSnapshotFiles",
            summary = "What is at a path of a snapshot, and in it if it is a directory",
            description =
                    "Links are followed inside the snapshot. The first look at a snapshot takes as"
                            + " long as a restore. Needs sandboxes:use as well.")
    @APIResponse(
            responseCode = "200",
            description = "A page, by name",
            content = @Content(schema = @Schema(implementation = FilePage.class)))
    public CompletionStage<FilePage> list(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @QueryParam("path") String path,
            @QueryParam("pathBytes") String bytes,
            @QueryParam("after") String after,
            @QueryParam("limit") String limit) {
        return contents.list(
                        caller.actor(),
                        slug(named),
                        reference,
                        AskedPath.of(path, bytes),
                        after,
                        Cursor.limit(limit))
                .thenApply(FilePage::of);
    }

    @GET
    @Path("content")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    @Operation(
            operationId = "readSnapshotFile",
            summary = "The content of a file in a snapshot; a part of it with Range",
            description =
                    "Of regular files only. More than HOLDFAST_CONTENTS_LARGEST_MIB at once is"
                            + " refused. Needs sandboxes:use as well.")
    @Refuses({Reason.FILE_TOO_LARGE, Reason.RANGE_NOT_SATISFIABLE})
    public CompletionStage<Response> read(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @QueryParam("path") String path,
            @QueryParam("pathBytes") String bytes,
            @HeaderParam("Range") String range,
            @HeaderParam("If-Range") String tag) {
        HttpServerExchange exchange = ServletRequestContext.requireCurrent().getExchange();
        ContentRange part = ContentRange.of(range);
        Optional<String> ifTag = Optional.ofNullable(tag).map(String::strip);
        return contents.read(
                        caller.actor(),
                        slug(named),
                        reference,
                        AskedPath.of(path, bytes),
                        part.offset(),
                        part.length(),
                        ifTag)
                .thenApply(
                        content ->
                                OutgoingContent.file(
                                        exchange, new SnapshotFile(content), part, ifTag));
    }

    @GET
    @Path("archive")
    @Produces(OutgoingContent.TAR)
    @Operation(
            operationId = "packSnapshotFiles",
            summary = "A directory of a snapshot with all that is in it, as a tar archive",
            description =
                    "Names in it begin with the directory's own. Sockets are left out. What comes"
                            + " to more than HOLDFAST_CONTENTS_LARGEST_MIB is refused. Needs"
                            + " sandboxes:use as well.")
    @Refuses(Reason.FILE_TOO_LARGE)
    public CompletionStage<Response> pack(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @QueryParam("path") String path,
            @QueryParam("pathBytes") String bytes) {
        HttpServerExchange exchange = ServletRequestContext.requireCurrent().getExchange();
        return contents.archive(caller.actor(), slug(named), reference, AskedPath.of(path, bytes))
                .thenApply(content -> OutgoingContent.archive(exchange, new SnapshotFile(content)));
    }

    private Optional<String> slug(String named) {
        Project project = scope.project(named);
        return project.slug().map(Slug::value);
    }
}
