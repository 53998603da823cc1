package dev.holdfast.api;

import dev.holdfast.access.Permission;
import dev.holdfast.access.Project;
import dev.holdfast.inventory.Lineage;
import dev.holdfast.inventory.Lineages;
import dev.holdfast.inventory.Relative;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The tree that snapshots and the sandboxes made from them form. */
@Tag(name = "snapshots")
@Path("/projects/{project}/snapshots/{reference}/lineage")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Permission.Word.SNAPSHOTS_READ)
public class LineageResource {

    /** Of a snapshot or of a sandbox. */
    private static final Pattern ID = Pattern.compile("[a-z0-9-]{1,64}");

    @Inject Lineages lineages;
    @Inject Scope scope;
    @Inject SnapshotAnswers answers;

    @GET
    @Operation(
            operationId = "getSnapshotLineage",
            summary = "What a snapshot descends from, up to the root, and what descends from it",
            description =
                    "Ancestors are all told, up to 100. Children come page by page, the oldest"
                            + " first: snapshots of sandboxes that descend from it, and live"
                            + " sandboxes. Ask for a child's lineage to go on. A removed snapshot"
                            + " has one as long as its tombstone stands.")
    @APIResponse(responseCode = "200", description = "Its ancestors and a page of its children")
    public LineageView get(
            @PathParam("project") String named,
            @PathParam("reference") String reference,
            @QueryParam("after") @Parameter(description = "The next of a page") String after,
            @QueryParam("limit")
                    @DefaultValue("50")
                    @Parameter(
                            schema =
                                    @Schema(
                                            type = SchemaType.INTEGER,
                                            minimum = "1",
                                            maximum = "100",
                                            defaultValue = "50"))
                    String limit) {
        Project project = scope.project(named);
        Lineage lineage =
                lineages.of(
                        project.id(),
                        // By its ID also one that was removed, of which nothing else can be asked.
                        SnapshotId.parse(reference.strip())
                                .orElseGet(() -> answers.found(project, reference).id()),
                        Cursor.after(after, LineageResource::place),
                        Cursor.limitSaid(limit));
        return LineageView.of(lineage, project.slug(), next(lineage));
    }

    private static Optional<Lineage.Place> place(Cursor last) {
        return Optional.of(last.id())
                .filter(id -> ID.matcher(id).matches())
                .map(id -> new Lineage.Place(last.at(), id));
    }

    private static String next(Lineage lineage) {
        if (!lineage.more()) {
            return null;
        }
        List<Relative> page = lineage.children();
        Relative last = page.get(page.size() - 1);
        return new Cursor(last.createdAt().orElseThrow(), last.id()).token();
    }
}
