package dev.holdfast.e2b;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.access.Projects;
import dev.holdfast.access.Slug;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.capture.CaptureOrder;
import dev.holdfast.inventory.Listing;
import dev.holdfast.inventory.Listings;
import dev.holdfast.inventory.Order;
import dev.holdfast.inventory.Page;
import dev.holdfast.inventory.Place;
import dev.holdfast.inventory.Selection;
import dev.holdfast.inventory.Status;
import dev.holdfast.operation.CaptureAnswers;
import dev.holdfast.operation.Preference;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotName;
import dev.holdfast.snapshot.SnapshotName.Written;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    @Inject Listings listings;

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
        Page page =
                listings.page(
                        Listing.first(
                                        caller.project(),
                                        slug,
                                        selection(source, id, written),
                                        Order.NEWEST_FIRST,
                                        paging.limit())
                                .after(
                                        paging.after()
                                                .map(
                                                        place ->
                                                                Place.created(
                                                                        place.moment(),
                                                                        placeId(place)))));
        List<Snapshot> shown = page.snapshots();
        Response.ResponseBuilder answer =
                Response.ok(shown.stream().map(each -> SnapshotView.of(each, slug)).toList());
        if (page.more()) {
            Snapshot last = shown.get(shown.size() - 1);
            answer.header(E2b.NEXT_TOKEN, paging.token(last.createdAt(), last.id().toString()));
        }
        return answer.build();
    }

    private static Selection selection(
            Optional<SandboxId> source, Optional<SnapshotId> id, Optional<Written> written) {
        return new Selection(
                Status.SAVED,
                Optional.empty(),
                id.map(Set::of).orElse(Set.of()),
                source,
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                written.map(Written::shortName),
                written.flatMap(Written::tag),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    private static SnapshotId placeId(Paging.Place place) {
        return SnapshotId.parse(place.id()).orElseThrow(Paging::foreign);
    }
}
