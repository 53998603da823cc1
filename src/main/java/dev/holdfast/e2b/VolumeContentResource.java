package dev.holdfast.e2b;

import dev.holdfast.access.Projects;
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
import dev.holdfast.volume.VolumeId;
import dev.holdfast.volume.VolumeTokens;
import dev.holdfast.volume.Volumes;
import io.undertow.server.HttpServerExchange;
import io.undertow.servlet.handlers.ServletRequestContext;
import jakarta.annotation.security.PermitAll;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
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
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What is in a volume, for whoever shows the volume's own token: it stands for the project, and no
 * key is asked for.
 */
@Path("volumecontent/{volume}")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@PermitAll
public class VolumeContentResource {

    private static final String BEARER = "bearer ";
    private static final int DEEPEST = 64;

    @Inject Moves moves;
    @Inject Projects projects;
    @Inject Shelves shelves;
    @Inject Transfers transfers;
    @Inject VolumeTokens tokens;
    @Inject Volumes volumes;

    @GET
    @Path("dir")
    public List<VolumeEntryView> list(
            @PathParam("volume") String named,
            @HeaderParam("Authorization") String token,
            @QueryParam("path") String path,
            @QueryParam("depth") String depth) {
        Volume volume = shown(named, token);
        int layers = (int) number("depth", depth, 1, DEEPEST).orElse(1L).longValue();
        return shelves.tree(volume, DrivePath.of(path, null), layers).stream()
                .map(VolumeEntryView::of)
                .toList();
    }

    @POST
    @Path("dir")
    @Consumes(MediaType.WILDCARD) // it has no body
    @Audited(value = Action.VOLUME_WRITE, type = "volume", id = "volume")
    public Response makeDirectory(
            @PathParam("volume") String named,
            @HeaderParam("Authorization") String token,
            @QueryParam("path") String path,
            @QueryParam("uid") String uid,
            @QueryParam("gid") String gid,
            @QueryParam("mode") String mode,
            @QueryParam("force") String force) {
        Volume volume = shown(named, token);
        return made(
                VolumeEntryView.of(
                        moves.makeDirectory(
                                volume,
                                DrivePath.of(path, null),
                                flag(force).orElse(false),
                                owner(uid, gid, mode),
                                actor(volume))));
    }

    @GET
    @Path("path")
    public VolumeEntryView stat(
            @PathParam("volume") String named,
            @HeaderParam("Authorization") String token,
            @QueryParam("path") String path) {
        return VolumeEntryView.of(shelves.stat(shown(named, token), DrivePath.of(path, null)));
    }

    @PATCH
    @Path("path")
    @Consumes(MediaType.APPLICATION_JSON)
    @Audited(value = Action.VOLUME_WRITE, type = "volume", id = "volume")
    public VolumeEntryView change(
            @PathParam("volume") String named,
            @HeaderParam("Authorization") String token,
            @QueryParam("path") String path,
            JsonValue body) {
        Volume volume = shown(named, token);
        Members members = Members.of(body);
        Owner owner =
                new Owner(
                        members.whole("uid", 0, Integer.MAX_VALUE).map(Integer::longValue),
                        members.whole("gid", 0, Integer.MAX_VALUE).map(Integer::longValue),
                        members.whole("mode", 0, 07777));
        return VolumeEntryView.of(
                moves.change(volume, DrivePath.of(path, null), owner, actor(volume)));
    }

    @DELETE
    @Path("path")
    @Consumes(MediaType.WILDCARD) // it has no body
    @Audited(value = Action.VOLUME_WRITE, type = "volume", id = "volume")
    public void remove(
            @PathParam("volume") String named,
            @HeaderParam("Authorization") String token,
            @QueryParam("path") String path) {
        Volume volume = shown(named, token);
        moves.remove(volume, DrivePath.of(path, null), true, actor(volume));
    }

    @GET
    @Path("file")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    public CompletionStage<Response> read(
            @PathParam("volume") String named,
            @HeaderParam("Authorization") String token,
            @QueryParam("path") String path) {
        HttpServerExchange exchange = ServletRequestContext.requireCurrent().getExchange();
        return CompletableFuture.completedStage(
                OutgoingContent.file(
                        exchange,
                        new VolumeFile(
                                transfers.read(
                                        shown(named, token),
                                        DrivePath.of(path, null),
                                        0,
                                        Optional.empty(),
                                        Optional.empty())),
                        ContentRange.ALL));
    }

    /** What is there is overwritten, unless {@code force} says that it is not to be. */
    @PUT
    @Path("file")
    @Consumes(MediaType.APPLICATION_OCTET_STREAM)
    @Audited(value = Action.VOLUME_WRITE, type = "volume", id = "volume")
    public void write(
            @PathParam("volume") String named,
            @HeaderParam("Authorization") String token,
            @QueryParam("path") String path,
            @QueryParam("uid") String uid,
            @QueryParam("gid") String gid,
            @QueryParam("mode") String mode,
            @QueryParam("force") String force,
            @Context HttpServletRequest servlet,
            @Suspended AsyncResponse response)
            throws IOException {
        Volume volume = shown(named, token);
        Placing placing =
                new Placing(
                        flag(force).orElse(true), flag(force).orElse(false), owner(uid, gid, mode));
        IncomingBody.receive(
                new VolumeUpload(
                        transfers.write(volume, DrivePath.of(path, null), placing, actor(volume)),
                        entry -> made(VolumeEntryView.of(entry))),
                "file",
                servlet.getInputStream(),
                response);
    }

    /** Whoever has no token for it learns nothing of a volume, not even whether there is one. */
    private Volume shown(String named, String authorization) {
        VolumeId id =
                VolumeId.parse(named)
                        .filter(each -> tokens.isFor(each, token(authorization)))
                        .orElseThrow(
                                () ->
                                        new Problem(
                                                Reason.UNAUTHENTICATED,
                                                "Show the token of this volume, which the call that"
                                                        + " makes or gets it answers, as"
                                                        + " Authorization: Bearer."));
        Volume volume =
                volumes.find(id)
                        .orElseThrow(
                                () ->
                                        new Problem(
                                                Reason.VOLUME_NOT_FOUND,
                                                "This volume has been deleted."));
        projects.requireOpen(volume.project());
        return volume;
    }

    private static String token(String authorization) {
        return authorization != null
                        && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? authorization.substring(BEARER.length()).strip()
                : null;
    }

    private static Response made(VolumeEntryView entry) {
        return Response.status(Response.Status.CREATED)
                .entity(entry)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .build();
    }

    private static String actor(Volume volume) {
        return "volume:" + volume.id();
    }

    private static Owner owner(String uid, String gid, String mode) {
        return new Owner(
                number("uid", uid, 0, Integer.MAX_VALUE),
                number("gid", gid, 0, Integer.MAX_VALUE),
                number("mode", mode, 0, 07777).map(Long::intValue));
    }

    private static Optional<Boolean> flag(String text) {
        return switch (text == null ? "" : text.toLowerCase(Locale.ROOT)) {
            case "" -> Optional.empty();
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> throw Problem.invalid("force", "\"force\" is true or false.");
        };
    }

    private static Optional<Long> number(String name, String text, long least, long most) {
        if (text == null || text.isEmpty()) {
            return Optional.empty();
        }
        if (!text.matches("[0-9]{1,10}")
                || Long.parseLong(text) < least
                || Long.parseLong(text) > most) {
            throw Problem.invalid(
                    name, "\"" + name + "\" is a number from " + least + " to " + most + ".");
        }
        return Optional.of(Long.parseLong(text));
    }
}
