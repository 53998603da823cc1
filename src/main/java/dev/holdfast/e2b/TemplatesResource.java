package dev.holdfast.e2b;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.access.Slug;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audited;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotName;
import dev.holdfast.snapshot.SnapshotName.Written;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.template.TemplateState;
import dev.holdfast.template.Templates;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import java.util.Optional;

/** Templates, as far as clients ask for them, and the path on which they delete snapshots. */
@Path("templates")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class TemplatesResource {

    @Inject Caller caller;
    @Inject Projects projects;
    @Inject Snapshots snapshots;
    @Inject Templates templates;

    @GET
    @Path("aliases/{alias}")
    @RolesAllowed(Permission.Word.SANDBOXES_USE)
    public Map<String, Object> alias(@PathParam("alias") String alias) {
        return templates
                .find(caller.project(), alias)
                .filter(template -> template.state() == TemplateState.READY)
                .map(
                        template ->
                                Map.<String, Object>of(
                                        "templateID",
                                        template.id().value(),
                                        "public",
                                        template.isBuiltIn()))
                .orElseThrow(
                        () ->
                                new Problem(
                                        Reason.TEMPLATE_NOT_FOUND,
                                        "template '" + alias + "' not found"));
    }

    /** Deletes a snapshot, never a template. */
    @DELETE
    @Path("{reference}")
    @RolesAllowed(Permission.Word.SANDBOXES_MANAGE)
    @Transactional(dontRollbackOn = Problem.class) // that of a repeated deletion asks for cleanup
    @Audited(value = Action.SNAPSHOT_DELETE, type = "snapshot", id = "reference")
    public void delete(@PathParam("reference") String reference) {
        boolean deleted =
                find(caller.project(), reference.strip()).map(snapshots::delete).orElse(false);
        if (!deleted) {
            throw new Problem(
                    Reason.SNAPSHOT_NOT_FOUND, "There is no snapshot \"" + reference + "\".");
        }
    }

    private Optional<Snapshot> find(ProjectId project, String reference) {
        Optional<SnapshotId> id = SnapshotId.parse(reference);
        if (id.isPresent()) {
            return snapshots.lock(project, id.get()).filter(Snapshot::isAskedFor);
        }
        if (reference.indexOf('/') < 0) {
            throw new Problem(
                    Reason.MALFORMED_REFERENCE,
                    "Name a snapshot to delete by its ID or by its qualified name"
                            + " team/short[:tag], not by a short name alone.");
        }
        Written written = SnapshotName.parse(reference, Reason.MALFORMED_REFERENCE);
        Optional<String> slug = projects.get(project).slug().map(Slug::value);
        return written.slug().equals(slug)
                ? snapshots.holder(project, written.name())
                : Optional.empty();
    }
}
