package dev.holdfast.snapshot;

import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventType;
import dev.holdfast.event.Notice;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A snapshot at the moment its removal is accepted, with what has to be told of it.
 *
 * @param name the one it still holds
 * @param trashedUntil until when it can be brought back; empty: not at all
 * @param ruling what its policy says, if that lets it go before its time
 */
record Leaving(
        SnapshotId id,
        UploadId upload,
        ProjectId project,
        Kind kind,
        Optional<SnapshotName> name,
        Optional<Instant> expiresAt,
        Optional<Instant> trashedUntil,
        Optional<String> ruling) {

    Leaving {
        Objects.requireNonNull(id);
        Objects.requireNonNull(upload);
        Objects.requireNonNull(project);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(name);
        Objects.requireNonNull(expiresAt);
        Objects.requireNonNull(trashedUntil);
        Objects.requireNonNull(ruling);
    }

    static Leaving of(Snapshot snapshot) {
        return new Leaving(
                snapshot.id(),
                snapshot.upload(),
                snapshot.project(),
                snapshot.kind(),
                snapshot.name(),
                snapshot.expiresAt(),
                Optional.empty(),
                Optional.empty());
    }

    /** Into the trash, if there is such a time. */
    Leaving until(Optional<Instant> back) {
        return new Leaving(id, upload, project, kind, name, expiresAt, back, ruling);
    }

    Leaving ruled(String why) {
        return new Leaving(
                id, upload, project, kind, name, expiresAt, trashedUntil, Optional.of(why));
    }

    SnapshotState state() {
        return trashedUntil.isPresent() ? SnapshotState.TRASHED : SnapshotState.CLEANUP_PENDING;
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
                .filter(action -> kind.isListed())
                .map(
                        action ->
                                Deed.of(action, Subject.snapshot(id))
                                        .in(project.value())
                                        .with("name", name.orElse(null))
                                        .with("retention", ruling.orElse(null))
                                        .with("trashedUntil", trashedUntil.orElse(null)));
    }

    /** The state of a pause is no snapshot to outsiders. */
    Event event(RemovalReason why) {
        EventType type =
                why == RemovalReason.EXPIRED
                        ? EventType.SNAPSHOT_EXPIRED
                        : EventType.SNAPSHOT_DELETED;
        List<Notice> notices =
                kind == Kind.PAUSE
                        ? List.of()
                        : List.of(
                                Notice.of(type, id, project.value())
                                        .with("name", name)
                                        .with("trashedUntil", trashedUntil));
        return new Event(Event.capture(upload), state().name(), notices);
    }
}
