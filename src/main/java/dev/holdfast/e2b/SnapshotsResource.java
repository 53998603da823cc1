package dev.holdfast.e2b;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.access.Projects;
import dev.holdfast.access.Slug;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.capture.CaptureOrder;
import dev.holdfast.operation.CaptureAnswers;
import dev.holdfast.operation.Preference;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotName;
import dev.holdfast.snapshot.SnapshotName.Written;
import dev.holdfast.snapshot.SnapshotQuery;
import dev.holdfast.snapshot.Snapshots;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.Consumes;
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
import java.util.concurrent.CompletionStage;

/** Snapshots: create and list. Deletion shares its path with templates. */
@Path("/")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class SnapshotsResource {

    @Inject Caller caller;
    @Inject Projects projects;
    @Inject CaptureAnswers answers;
    @Inject Snapshots snapshots;

    @POST
    @Path("sandboxes/{id}/snapshots")
    @RolesAllowed(Permission.Word.SANDBOXES_USE)
    @Audited(value = Action.SNAPSHOT_CAPTURE, type = "sandbox", id = "id")
    public CompletionStage<Response> create(
            @PathParam("id") String id,
            @HeaderParam("Idempotency-Key") String key,
            @HeaderParam(Preference.HEADER) List<String> prefer,
            JsonValue body) {
        Members members = Members.of(body);
        SandboxId source = SandboxIds.read(id);
        Project project = projects.get(caller.project());
        Optional<SnapshotName> name =
                members.text("name")
                        .filter(text -> !text.isEmpty())
                        .map(text -> SnapshotName.own(text, project.slug()));
        CaptureOrder order =
                new CaptureOrder(
                        project.id(),
                        source,
                        name,
                        members.flag("memory").orElse(true),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        caller.principal().text());
        return answers.answer(
                project,
                key == null ? order : order.named(key),
                Preference.of(prefer),
                snapshot ->
                        Response.status(Response.Status.CREATED)
                                .entity(SnapshotView.of(snapshot, project.slug())));
    }

    @GET
    @Path("snapshots")
    @RolesAllowed(Permission.Word.SNAPSHOTS_READ)
    public Response list(
            @QueryParam("sandboxID") String sandbox,
            @QueryParam("name") String name,
            @QueryParam("limit") String limit,
            @QueryParam("nextToken") String nextToken) {
        Paging paging = Paging.read("snapshots", limit, nextToken);
        Optional<Slug> slug = projects.get(caller.project()).slug();
        Optional<SandboxId> source =
                Optional.ofNullable(sandbox).filter(s -> !s.isEmpty()).map(SandboxIds::read);
        Optional<SnapshotId> id = Optional.ofNullable(name).flatMap(SnapshotId::parse);
        Optional<Written> written =
                Optional.ofNullable(name)
                        .filter(text -> !text.isEmpty() && id.isEmpty())
                        .map(text -> SnapshotName.parse(text, Reason.MALFORMED_NAME));
        written.ifPresent(w -> w.requireOwn(slug));
        List<Snapshot> found =
                snapshots.list(
                        caller.project(),
                        new SnapshotQuery(
                                source,
                                id,
                                written.map(Written::shortName),
                                written.flatMap(Written::tag),
                                paging.after()
                                        .map(
                                                place ->
                                                        new SnapshotQuery.Place(
                                                                place.moment(), placeId(place))),
                                paging.limit() + 1));
        List<Snapshot> page = found.stream().limit(paging.limit()).toList();
        Response.ResponseBuilder answer =
                Response.ok(page.stream().map(each -> SnapshotView.of(each, slug)).toList());
        if (found.size() > page.size()) {
            Snapshot last = page.get(page.size() - 1);
            answer.header(E2b.NEXT_TOKEN, paging.token(last.createdAt(), last.id().toString()));
        }
        return answer.build();
    }

    private static SnapshotId placeId(Paging.Place place) {
        return SnapshotId.parse(place.id()).orElseThrow(Paging::foreign);
    }
}
