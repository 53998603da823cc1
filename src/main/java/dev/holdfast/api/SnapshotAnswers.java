package dev.holdfast.api;

import dev.holdfast.access.Project;
import dev.holdfast.access.Slug;
import dev.holdfast.restore.References;
import dev.holdfast.retention.Policies;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.Verdicts;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Response;
import java.util.Optional;

/** How paths name a snapshot and what is answered of one, the same wherever it is looked at. */
@ApplicationScoped
public class SnapshotAnswers {

    @Inject Policies policies;
    @Inject References references;
    @Inject Verdicts verdicts;

    /**
     * @throws dev.holdfast.problem.Problem as {@link References#snapshot}
     */
    Snapshot found(Project project, String reference) {
        return references.snapshot(project.id(), slug(project), reference);
    }

    /** The same, for who is going to change it. */
    Snapshot locked(Project project, String reference) {
        return references.locked(project.id(), slug(project), reference);
    }

    Response ok(Project project, Snapshot snapshot) {
        return Response.ok(view(project, snapshot)).tag(Tags.of(snapshot.version())).build();
    }

    SnapshotView view(Project project, Snapshot snapshot) {
        return SnapshotView.of(
                snapshot,
                verdicts.standing(snapshot),
                project.slug(),
                policies.regime(project.id()));
    }

    private static Optional<String> slug(Project project) {
        return project.slug().map(Slug::value);
    }
}
