package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.drive.DrivePath;
import dev.holdfast.drive.Moves;
import dev.holdfast.drive.Owner;
import dev.holdfast.drive.Placing;
import dev.holdfast.drive.Shelves;
import dev.holdfast.drive.Transfers;
import dev.holdfast.gateway.ContentRange;
import dev.holdfast.gateway.IncomingBody;
import dev.holdfast.gateway.OutgoingContent;
import dev.holdfast.gateway.VolumeFile;
import dev.holdfast.gateway.VolumeUpload;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.volume.Volume;
import dev.holdfast.volume.Volumes;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.handlers.ServletRequestContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What is in a volume, past any sandbox and also while sandboxes use it. */
@Tag(name = "volumes")
@Path("/projects/{project}/volumes/{volume}/files")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SANDBOXES_USE)
@Refuses({
    Reason.FILE_NOT_FOUND,
    Reason.FILE_NOT_READABLE,
    Reason.VOLUME_BUSY,
    Reason.VOLUME_ELSEWHERE,
    Reason.VOLUME_UNAVAILABLE,
    Reason.DISK_FULL
})
public class VolumeFilesResource {

    private static final String TO = "to";
    private static final String OVERWRITE = "overwrite";

    @Inject Caller caller;
    @Inject Moves moves;
    @Inject Scope scope;
    @Inject Shelves shelves;
    @Inject Transfers transfers;
    @Inject Volumes volumes;

    @GET
    @Operation(
            operationId = "listVolumeFiles",
            summary = "What is at a path of a volume and, of a directory, what is in it",
            description = "Links are shown and not followed.")
    @Refuses(Reason.FILE_TOO_LARGE)
    public FilePage list(
            @PathParam("project") String project,
            @PathParam("volume") String volume,
            @QueryParam("path") String path,
            @QueryParam("pathBytes") String bytes,
            @QueryParam("after") String after,
            @Parameter(
                            description = "How many a page has at most; 100 if absent",
                            schema =
                                    @Schema(
                                            type = SchemaType.INTEGER,
                                            minimum = "1",
                                            maximum = "1000"))
                    @QueryParam("limit")
                    String limit) {
        Volume found = found(project, volume);
        return FilePage.of(
                shelves.list(
                        found,
                        DrivePath.of(path, bytes),
                        after,
                        Cursor.limit(limit, Shelves.MOST)));
    }

    @GET
    @Path("content")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    @Operation(
            operationId = "readVolumeFile",
            summary = "The content of a file of a volume, or a part of it")
    @Refuses(Reason.RANGE_NOT_SATISFIABLE)
    public CompletionStage<Response> read(
            @PathParam("project") String project,
            @PathParam("volume") String volume,
            @QueryParam("path") String path,
            @QueryParam("pathBytes") String bytes,
            @HeaderParam("Range") String range,
            @HeaderParam("If-Range") String tag) {
        HttpServerExchange exchange = ServletRequestContext.requireCurrent().getExchange();
        Volume found = found(project, volume);
        ContentRange part = ContentRange.of(range);
        Optional<String> ifTag = Optional.ofNullable(tag).map(String::strip);
        VolumeFile file =
                new VolumeFile(
                        transfers.read(
                                found,
                                DrivePath.of(path, bytes),
                                part.offset(),
                                part.length(),
                                ifTag));
        return CompletableFuture.completedStage(OutgoingContent.file(exchange, file, part, ifTag));
    }

    @PUT
    @Path("content")
    @Consumes(MediaType.APPLICATION_OCTET_STREAM)
    @Audited(value = Action.VOLUME_WRITE, type = "volume", id = "volume")
    @Operation(
            operationId = "writeVolumeFile",
            summary = "Puts a file into a volume, whole or not at all",
            description = "It belongs to the ordinary user of sandboxes.")
    @APIResponse(
            responseCode = "201",
            description = "It is at its path",
            content = @Content(schema = @Schema(implementation = FileView.class)))
    @Refuses({Reason.FILE_EXISTS, Reason.VOLUME_FULL})
    public void write(
            @PathParam("project") String project,
            @PathParam("volume") String volume,
            @QueryParam("path") String path,
            @QueryParam("pathBytes") String bytes,
            @Parameter(
                            description = "true: a file that is there is replaced",
                            schema = @Schema(type = SchemaType.BOOLEAN))
                    @QueryParam(OVERWRITE)
                    String overwrite,
            @Parameter(
                            description = "true: directories on the way are made",
                            schema = @Schema(type = SchemaType.BOOLEAN))
                    @QueryParam("parents")
                    String parents,
            @Context HttpServletRequest servlet,
            @Suspended AsyncResponse response)
            throws IOException {
        Volume found = found(project, volume);
        Placing placing =
                new Placing(flag(OVERWRITE, overwrite), flag("parents", parents), Owner.USUAL);
        IncomingBody.receive(
                new VolumeUpload(
                        transfers.write(
                                found,
                                DrivePath.of(path, bytes),
                                placing,
                                caller.principal().text()),
                        entry ->
                                Response.status(Response.Status.CREATED)
                                        .entity(FileView.of(entry))
                                        .type(MediaType.APPLICATION_JSON_TYPE)
                                        .build()),
                "file",
                servlet.getInputStream(),
                response);
    }

    @POST
    @Path("directory")
    @Consumes(MediaType.WILDCARD) // it has no body
    @Audited(value = Action.VOLUME_WRITE, type = "volume", id = "volume")
    @Operation(operationId = "makeVolumeDirectory", summary = "Makes a directory in a volume")
    @APIResponse(
            responseCode = "201",
            description = "It is there",
            content = @Content(schema = @Schema(implementation = FileView.class)))
    @Refuses({Reason.FILE_EXISTS, Reason.VOLUME_FULL})
    public Response makeDirectory(
            @PathParam("project") String project,
            @PathParam("volume") String volume,
            @QueryParam("path") String path,
            @QueryParam("pathBytes") String bytes,
            @Parameter(
                            description =
                                    "true: those on the way are made as well, and one that is there"
                                            + " is no refusal",
                            schema = @Schema(type = SchemaType.BOOLEAN))
                    @QueryParam("parents")
                    String parents) {
        Volume found = found(project, volume);
        return Response.status(Response.Status.CREATED)
                .entity(
                        FileView.of(
                                moves.makeDirectory(
                                        found,
                                        DrivePath.of(path, bytes),
                                        flag("parents", parents),
                                        Owner.USUAL,
                                        caller.principal().text())))
                .build();
    }

    @POST
    @Path("move")
    @Consumes(MediaType.APPLICATION_JSON)
    @Audited(value = Action.VOLUME_WRITE, type = "volume", id = "volume")
    @Operation(
            operationId = "moveVolumeFile",
            summary = "Moves or renames a file or a directory, in one step")
    @RequestBody(
            required = true,
            content = @Content(schema = @Schema(implementation = VolumeMoveRequest.class)))
    @Refuses({Reason.FILE_EXISTS, Reason.DIRECTORY_NOT_EMPTY})
    public FileView move(
            @PathParam("project") String project,
            @PathParam("volume") String volume,
            @QueryParam("path") String path,
            @QueryParam("pathBytes") String bytes,
            JsonValue body) {
        Volume found = found(project, volume);
        Asked asked = Asked.of(body, Set.of(TO, OVERWRITE));
        String to = asked.text(TO).orElseThrow(() -> Problem.invalid(TO, "Give a path as \"to\"."));
        return FileView.of(
                moves.move(
                        found,
                        DrivePath.of(path, bytes),
                        DrivePath.of(to, null),
                        asked.flag(OVERWRITE).orElse(false),
                        caller.principal().text()));
    }

    @DELETE
    @Consumes(MediaType.WILDCARD) // it has no body
    @Audited(value = Action.VOLUME_WRITE, type = "volume", id = "volume")
    @Operation(
            operationId = "removeVolumeFile",
            summary = "Removes a file or a directory; a directory that is not empty if asked for")
    @APIResponse(
            responseCode = "204",
            description = "It is gone; what was in a directory frees its room soon")
    @Refuses(Reason.DIRECTORY_NOT_EMPTY)
    public void remove(
            @PathParam("project") String project,
            @PathParam("volume") String volume,
            @QueryParam("path") String path,
            @QueryParam("pathBytes") String bytes,
            @Parameter(
                            description = "true: with all that is in it",
                            schema = @Schema(type = SchemaType.BOOLEAN))
                    @QueryParam("recursive")
                    String recursive) {
        moves.remove(
                found(project, volume),
                DrivePath.of(path, bytes),
                flag("recursive", recursive),
                caller.principal().text());
    }

    private Volume found(String project, String volume) {
        return volumes.get(scope.project(project).id(), volume);
    }

    private static boolean flag(String name, String text) {
        return switch (text == null ? "" : text) {
            case "", "false" -> false;
            case "true" -> true;
            default -> throw Problem.invalid(name, "\"" + name + "\" is true or false.");
        };
    }
}
