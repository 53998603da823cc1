package dev.holdfast.restore;

import dev.holdfast.access.ProjectId;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Origin.FromSnapshot;
import dev.holdfast.restore.Origin.FromTemplate;
import dev.holdfast.snapshot.Gone;
import dev.holdfast.snapshot.RemovalReason;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotName;
import dev.holdfast.snapshot.SnapshotName.Written;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.Tombstone;
import dev.holdfast.template.Templates;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.function.Function;

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

    /**
     * A snapshot's row, whatever its state, by its ID or its qualified name.
     *
     * @throws Problem {@code malformed_reference}, or what became of it
     */
    @TransactionAttribute(TransactionAttributeType.REQUIRED)
    public Snapshot snapshot(ProjectId project, Optional<String> slug, String reference) {
        return snapshot(
                project,
                slug,
                reference,
                id -> snapshots.find(id).filter(found -> found.project().equals(project)));
    }

    /** The same, locked until the end of the caller's transaction, for who will change it. */
    public Snapshot locked(ProjectId project, Optional<String> slug, String reference) {
        return snapshot(project, slug, reference, id -> snapshots.lock(project, id));
    }

    private Snapshot snapshot(
            ProjectId project,
            Optional<String> slug,
            String reference,
            Function<SnapshotId, Optional<Snapshot>> look) {
        Optional<SnapshotId> id = SnapshotId.parse(reference.strip());
        if (id.isPresent()) {
            return look.apply(id.get())
                    .filter(Snapshot::isAskedFor)
                    .orElseThrow(() -> absent(project, id.get()));
        }
        if (reference.indexOf('/') < 0) {
            throw new Problem(
                    Reason.MALFORMED_REFERENCE,
                    "Name a snapshot by its ID or by its qualified name team/short[:tag], with its"
                            + " slash written as %2F in an address.");
        }
        return holder(project, slug, reference);
    }

    private Origin named(ProjectId project, Optional<String> slug, String reference) {
        return usable(holder(project, slug, reference));
    }

    private Snapshot holder(ProjectId project, Optional<String> slug, String reference) {
        Written written = SnapshotName.parse(reference, Reason.MALFORMED_REFERENCE);
        Optional<SnapshotName> own =
                Optional.of(written.name()).filter(name -> written.slug().equals(slug));
        return own.flatMap(name -> snapshots.holder(project, name))
                .orElseThrow(
                        () ->
                                own.flatMap(name -> snapshots.lastNamed(project, name))
                                        .filter(gone -> gone.why() != RemovalReason.FAILED)
                                        .map(Gone::problem)
                                        .orElseGet(
                                                () ->
                                                        new Problem(
                                                                Reason.SNAPSHOT_NOT_FOUND,
                                                                "There is no snapshot named \""
                                                                        + reference
                                                                        + "\".")));
    }

    private Problem absent(ProjectId project, SnapshotId id) {
        return gone(project, id)
                .map(Gone::problem)
                .orElseGet(
                        () ->
                                new Problem(
                                        Reason.SNAPSHOT_NOT_FOUND,
                                        "There is no snapshot " + id + "."));
    }

    private Optional<Origin> byId(ProjectId project, SnapshotId id) {
        Optional<Origin> found =
                snapshots.lock(project, id).filter(Snapshot::isAskedFor).map(this::usable);
        if (found.isEmpty()) {
            gone(project, id)
                    .ifPresent(
                            gone -> {
                                throw gone.problem();
                            });
        }
        return found;
    }

    private Optional<Gone> gone(ProjectId project, SnapshotId id) {
        return snapshots.tombstone(project, id).map(Tombstone::gone);
    }

    private Origin usable(Snapshot snapshot) {
        snapshot.requireUsable(time.now());
        return new FromSnapshot(snapshot);
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
