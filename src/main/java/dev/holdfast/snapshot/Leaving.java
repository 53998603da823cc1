package dev.holdfast.snapshot;

import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;
import dev.holdfast.event.Event;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A snapshot at the moment its removal is accepted, with what has to be told of it.
 *
 * @param name the one it still holds
 */
record Leaving(
        SnapshotId id,
        UploadId upload,
        ProjectId project,
        Kind kind,
        Optional<SnapshotName> name,
        Optional<Instant> expiresAt) {

    Leaving {
        Objects.requireNonNull(id);
        Objects.requireNonNull(upload);
        Objects.requireNonNull(project);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(name);
        Objects.requireNonNull(expiresAt);
    }

    static Leaving of(Snapshot snapshot) {
        return new Leaving(
                snapshot.id(),
                snapshot.upload(),
                snapshot.project(),
                snapshot.kind(),
                snapshot.name(),
                snapshot.expiresAt());
    }

    /** Whether its time is over: a pause has none, and is over when nobody lives from it. */
    boolean isOver(Instant now) {
        return kind == Kind.PAUSE || expiresAt.filter(end -> !end.isAfter(now)).isPresent();
    }

    /** What was kept for a sandbox or a fork nobody asked for, so nobody is told of its end. */
    Optional<Deed> deed(RemovalReason why) {
        return Optional.of(
                        why == RemovalReason.EXPIRED
                                ? Action.SNAPSHOT_EXPIRE
                                : Action.SNAPSHOT_DELETE)
                .filter(action -> kind == Kind.SNAPSHOT)
                .map(
                        action ->
                                Deed.of(action, Subject.snapshot(id))
                                        .in(project.value())
                                        .with("name", name.orElse(null)));
    }

    Event event() {
        return new Event(Event.capture(upload), SnapshotState.CLEANUP_PENDING.name());
    }
}
