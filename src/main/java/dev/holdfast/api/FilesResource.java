package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.access.Slug;
import dev.holdfast.contents.AskedPath;
import dev.holdfast.contents.Content;
import dev.holdfast.contents.Contents;
import dev.holdfast.problem.Problem;
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
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
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
    Reason.NO_WORKER,
    Reason.WORKER_BUSY,
    Reason.CONTENTS_UNAVAILABLE,
    Reason.SERVER_STOPPING
})
public class FilesResource {

    private static final String TAR = "application/x-tar";
    private static final String PATH = "From the root; the root itself where nothing is said";
    private static final String BYTES =
            "Instead of path, where that is no UTF-8: its bytes in base64 for URLs";

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
            content =
                    @org.eclipse.microprofile.openapi.annotations.media.Content(
                            schema = @Schema(implementation = FilePage.class)))
    public CompletionStage<FilePage> list(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @Parameter(description = PATH) @QueryParam("path") String path,
            @Parameter(description = BYTES) @QueryParam("pathBytes") String bytes,
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
    @APIResponse(
            responseCode = "200",
            description = "All of it",
            content =
                    @org.eclipse.microprofile.openapi.annotations.media.Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM,
                            schema = @Schema(type = SchemaType.STRING, format = "binary")))
    @APIResponse(
            responseCode = "206",
            description = "The part that Range asked for",
            content =
                    @org.eclipse.microprofile.openapi.annotations.media.Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM,
                            schema = @Schema(type = SchemaType.STRING, format = "binary")))
    @Refuses({Reason.FILE_TOO_LARGE, Reason.RANGE_NOT_SATISFIABLE})
    public CompletionStage<Response> read(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @Parameter(description = PATH) @QueryParam("path") String path,
            @Parameter(description = BYTES) @QueryParam("pathBytes") String bytes,
            @Parameter(description = "One part, as bytes=FIRST-LAST, bytes=FIRST- or bytes=-LAST")
                    @HeaderParam("Range")
                    String range,
            @Parameter(description = "The ETag of what the part is of; else all is answered")
                    @HeaderParam("If-Range")
                    String tag) {
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
                                answer(
                                        exchange,
                                        content,
                                        ifTag.filter(seen -> !seen.equals(content.tag())).isEmpty()
                                                ? part
                                                : ContentRange.ALL));
    }

    @GET
    @Path("archive")
    @Produces(TAR)
    @Operation(
            operationId = "packSnapshotFiles",
            summary = "A directory of a snapshot with all that is in it, as a tar archive",
            description =
                    "Names in it begin with the directory's own. Sockets are left out. What comes"
                            + " to more than HOLDFAST_CONTENTS_LARGEST_MIB is refused. Needs"
                            + " sandboxes:use as well.")
    @APIResponse(
            responseCode = "200",
            description = "The archive",
            content =
                    @org.eclipse.microprofile.openapi.annotations.media.Content(
                            mediaType = TAR,
                            schema = @Schema(type = SchemaType.STRING, format = "binary")))
    @Refuses(Reason.FILE_TOO_LARGE)
    public CompletionStage<Response> pack(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @Parameter(description = PATH) @QueryParam("path") String path,
            @Parameter(description = BYTES) @QueryParam("pathBytes") String bytes) {
        HttpServerExchange exchange = ServletRequestContext.requireCurrent().getExchange();
        return contents.archive(caller.actor(), slug(named), reference, AskedPath.of(path, bytes))
                .thenApply(
                        content ->
                                headers(
                                                Response.ok(OutgoingContent.of(exchange, content)),
                                                content.name() + ".tar")
                                        .type(TAR)
                                        .build());
    }

    private Optional<String> slug(String named) {
        Project project = scope.project(named);
        return project.slug().map(Slug::value);
    }

    private static Response answer(
            HttpServerExchange exchange, Content content, ContentRange part) {
        if (!part.isAll() && content.length() == 0) {
            content.cancel();
            throw new Problem(
                            Reason.RANGE_NOT_SATISFIABLE,
                            "The file has %d bytes and no such part.".formatted(content.size()))
                    .with("size", content.size());
        }
        Response.ResponseBuilder answer =
                part.isAll()
                        ? Response.ok(OutgoingContent.of(exchange, content))
                        : Response.status(Response.Status.PARTIAL_CONTENT)
                                .entity(OutgoingContent.of(exchange, content))
                                .header("Content-Range", shown(content));
        return headers(answer, content.name())
                .type(MediaType.APPLICATION_OCTET_STREAM_TYPE)
                .header(HttpHeaders.CONTENT_LENGTH, content.length())
                .header(HttpHeaders.ETAG, content.tag())
                .header("Accept-Ranges", "bytes")
                .build();
    }

    private static String shown(Content content) {
        long last = content.offset() + content.length() - 1;
        return "bytes " + content.offset() + "-" + last + "/" + content.size();
    }

    /** What was written in a sandbox must not run as a page of the host that hands it out. */
    private static Response.ResponseBuilder headers(Response.ResponseBuilder answer, String name) {
        return answer.header(HttpHeaders.CONTENT_DISPOSITION, attachment(name))
                .header("X-Content-Type-Options", "nosniff")
                .header("Content-Security-Policy", "sandbox; default-src 'none'");
    }

    private static String attachment(String name) {
        StringBuilder header = new StringBuilder("attachment; filename*=UTF-8''");
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            char letter = (char) (each & 0xff);
            if (letter < 128 && (Character.isLetterOrDigit(letter) || "-._".indexOf(letter) >= 0)) {
                header.append(letter);
            } else {
                header.append("%%%02X".formatted((int) letter));
            }
        }
        return header.toString();
    }
}
