package dev.holdfast.restore;

import dev.holdfast.access.ProjectId;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Origin.FromSnapshot;
import dev.holdfast.restore.Origin.FromTemplate;
import dev.holdfast.snapshot.RemovalReason;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotName;
import dev.holdfast.snapshot.SnapshotName.Written;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.template.Templates;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Optional;

/** Resolves what a caller wrote as the origin of a sandbox. */
@Stateless
@TransactionAttribute(TransactionAttributeType.MANDATORY)
public class References {

    private static final String DEFAULT_TAG = ":" + SnapshotName.DEFAULT_TAG;

    @Inject DatabaseTime time;
    @Inject Snapshots snapshots;
    @Inject Templates templates;

    /**
     * @param slug the project's slug, empty when it has none
     * @throws Problem saying what the reference names, what it lacks, or what became of it
     */
    public Origin resolve(ProjectId project, Optional<String> slug, String reference) {
        if (reference.length() > 400) {
            throw new Problem(
                    Reason.MALFORMED_REFERENCE, "A reference has at most 400 characters.");
        }
        if (reference.indexOf('/') >= 0) {
            return named(project, slug, reference);
        }
        Optional<SnapshotId> id = SnapshotId.parse(reference.strip());
        if (id.isPresent()) {
            Optional<Origin> found = byId(project, id.get());
            if (found.isPresent()) {
                return found.get();
            }
        }
        return template(project, reference.strip());
    }

    private Origin named(ProjectId project, Optional<String> slug, String reference) {
        Written written = SnapshotName.parse(reference, Reason.MALFORMED_REFERENCE);
        return Optional.of(written.name())
                .filter(name -> written.slug().equals(slug))
                .flatMap(name -> snapshots.holder(project, name))
                .map(this::usable)
                .orElseThrow(
                        () ->
                                new Problem(
                                        Reason.SNAPSHOT_NOT_FOUND,
                                        "There is no snapshot named \"" + reference + "\"."));
    }

    private Optional<Origin> byId(ProjectId project, SnapshotId id) {
        Optional<Origin> found = snapshots.lock(project, id).map(this::usable);
        if (found.isEmpty()) {
            snapshots
                    .tombstone(project, id)
                    .ifPresent(
                            stone -> {
                                throw removed(id, stone.reason(), stone.removedAt());
                            });
        }
        return found;
    }

    private Origin usable(Snapshot snapshot) {
        Instant now = time.now();
        if (snapshot.isExpired(now)) {
            throw removed(snapshot, RemovalReason.EXPIRED);
        }
        switch (snapshot.state()) {
            case UPLOADING ->
                    throw new Problem(
                                    Reason.SNAPSHOT_NOT_SAVED,
                                    "Snapshot "
                                            + snapshot.id()
                                            + " is still being captured. Use it once it is saved.")
                            .with("uploadId", snapshot.upload().toString());
            case CLEANUP_PENDING, TRASHED ->
                    throw removed(snapshot, snapshot.removalReason().orElse(RemovalReason.DELETED));
            default -> {
                return new FromSnapshot(snapshot);
            }
        }
    }

    private static Problem removed(Snapshot snapshot, RemovalReason why) {
        return removed(snapshot.id(), why, snapshot.expiresAt().orElse(snapshot.createdAt()));
    }

    private static Problem removed(SnapshotId id, RemovalReason why, Instant when) {
        return switch (why) {
            case EXPIRED ->
                    new Problem(
                            Reason.SNAPSHOT_EXPIRED,
                            "Snapshot "
                                    + id
                                    + " expired at "
                                    + when
                                    + " and cannot be used. Capture again, or use another"
                                    + " snapshot.");
            case DELETED ->
                    new Problem(
                            Reason.SNAPSHOT_DELETED,
                            "Snapshot " + id + " was deleted and cannot be used.");
            case FAILED ->
                    new Problem(
                            Reason.SNAPSHOT_NOT_FOUND,
                            "Snapshot " + id + " was never saved: its capture failed.");
        };
    }

    private Origin template(ProjectId project, String reference) {
        String name =
                reference.endsWith(DEFAULT_TAG)
                        ? reference.substring(0, reference.length() - DEFAULT_TAG.length())
                        : reference;
        return templates
                .findReady(project, name)
                .map(FromTemplate::new)
                .orElseThrow(
                        () ->
                                new Problem(
                                        Reason.TEMPLATE_NOT_FOUND,
                                        "template '" + reference + "' not found"));
    }
}
