package dev.holdfast.snapshot;

import dev.holdfast.event.Event;
import dev.holdfast.event.EventType;
import dev.holdfast.event.Notice;
import dev.holdfast.problem.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What outsiders are told of captures and snapshots. The states of pauses are no snapshots to them:
 * of those they hear by their sandboxes and captures.
 */
final class Notices {
    private Notices() {}

    static Event accepted(Snapshot snapshot) {
        return of(snapshot, List.of(ofCapture(EventType.CAPTURE_ACCEPTED, snapshot)));
    }

    /** It is saved, or was and went with the sandbox that was to be paused. */
    static Event captured(Snapshot snapshot) {
        List<Notice> notices = new ArrayList<>();
        notices.add(
                ofCapture(EventType.CAPTURE_COMPLETED, snapshot)
                        .with("bytes", snapshot.storedBytes()));
        if (isTold(snapshot)) {
            notices.add(saved(EventType.SNAPSHOT_SAVED, snapshot));
        }
        return of(snapshot, notices);
    }

    static Event imported(Snapshot snapshot) {
        return of(
                snapshot,
                isTold(snapshot)
                        ? List.of(saved(EventType.SNAPSHOT_IMPORTED, snapshot))
                        : List.of());
    }

    static Event failed(Snapshot snapshot, Failure why) {
        EventType type =
                why.reason() == Reason.CAPTURE_CANCELLED
                        ? EventType.CAPTURE_CANCELLED
                        : EventType.CAPTURE_FAILED;
        return of(
                snapshot,
                List.of(
                        ofCapture(type, snapshot)
                                .with("reason", why.reason().word())
                                .with("detail", why.words())));
    }

    /** Its objects are gone. */
    static Event gone(Snapshot snapshot) {
        boolean told =
                isTold(snapshot)
                        && snapshot.removalReason()
                                .filter(why -> why != RemovalReason.FAILED)
                                .isPresent();
        return of(
                snapshot,
                told
                        ? List.of(
                                named(EventType.SNAPSHOT_REMOVED, snapshot)
                                        .with("bytes", snapshot.storedBytes()))
                        : List.of());
    }

    static Event recovered(Snapshot snapshot) {
        return of(snapshot, List.of(saved(EventType.SNAPSHOT_RECOVERED, snapshot)));
    }

    static Event purged(Snapshot snapshot) {
        return of(snapshot, List.of(named(EventType.SNAPSHOT_PURGED, snapshot)));
    }

    static Event pinned(Snapshot snapshot, Pin pin) {
        return ofSnapshot(
                snapshot,
                "PINNED",
                named(EventType.SNAPSHOT_PINNED, snapshot)
                        .with("reason", pin.reason())
                        .with("until", pin.until()));
    }

    static Event unpinned(Snapshot snapshot) {
        return ofSnapshot(
                snapshot,
                "UNPINNED",
                named(EventType.SNAPSHOT_UNPINNED, snapshot).with("expiresAt", snapshot.endsAt()));
    }

    static Event held(Snapshot snapshot, Hold hold) {
        return ofSnapshot(
                snapshot,
                "HELD",
                named(EventType.SNAPSHOT_HELD, snapshot)
                        .with("reason", hold.reason())
                        .with("until", hold.until()));
    }

    static Event expiring(Snapshot snapshot, Duration ahead) {
        return ofSnapshot(
                snapshot,
                "EXPIRES_WITHIN_" + ahead,
                named(EventType.SNAPSHOT_EXPIRING, snapshot)
                        .with("within", ahead)
                        .with("expiresAt", snapshot.expiresAt()));
    }

    static Event parts(Snapshot snapshot, PartsState now) {
        return ofSnapshot(
                snapshot,
                "PARTS_" + now,
                named(EventType.SNAPSHOT_PARTS_CHANGED, snapshot).with("parts", word(now)));
    }

    static Event restoreFailed(Snapshot snapshot, String why) {
        return ofSnapshot(
                snapshot,
                "RESTORE_FAILED",
                named(EventType.SNAPSHOT_RESTORE_FAILED, snapshot).with("detail", why));
    }

    static Event restorable(Snapshot snapshot) {
        return ofSnapshot(snapshot, "RESTORABLE", named(EventType.SNAPSHOT_RESTORABLE, snapshot));
    }

    private static Notice ofCapture(EventType type, Snapshot snapshot) {
        return Notice.of(type, snapshot.upload(), snapshot.project().value())
                .with("kind", word(snapshot.kind()))
                .with("sandboxId", snapshot.source())
                .with("snapshotId", snapshot.id())
                .with("name", snapshot.everNamed());
    }

    private static Notice saved(EventType type, Snapshot snapshot) {
        return named(type, snapshot)
                .with("sandboxId", snapshot.source())
                .with("captureId", snapshot.upload())
                .with("bytes", snapshot.storedBytes())
                .with("expiresAt", snapshot.expiresAt());
    }

    private static Notice named(EventType type, Snapshot snapshot) {
        return Notice.of(type, snapshot.id(), snapshot.project().value())
                .with("name", snapshot.everNamed());
    }

    private static boolean isTold(Snapshot snapshot) {
        return snapshot.kind() != Kind.PAUSE;
    }

    private static Event of(Snapshot snapshot, List<Notice> notices) {
        return new Event(Event.capture(snapshot.upload()), snapshot.state().name(), notices);
    }

    private static Event ofSnapshot(Snapshot snapshot, String state, Notice notice) {
        return new Event(
                Event.snapshot(snapshot.id()),
                state,
                isTold(snapshot) ? List.of(notice) : List.of());
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
