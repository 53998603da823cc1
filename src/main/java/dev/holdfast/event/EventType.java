package dev.holdfast.event;

import java.util.Arrays;
import java.util.Optional;

/**
 * What happened, in words for outsiders: what it happened to, a dot, and what it was. The words are
 * API: they may be added, never renamed.
 */
public enum EventType {
    SANDBOX_CREATED("sandbox.created"),
    SANDBOX_STARTED("sandbox.started"),
    SANDBOX_CAPTURE_STARTED("sandbox.capture_started"),
    /** It runs as before, whatever came of the capture. */
    SANDBOX_CAPTURE_ENDED("sandbox.capture_ended"),
    /** Its policy wanted a capture that was refused, for want of room for example. */
    SANDBOX_CAPTURE_SKIPPED("sandbox.capture_skipped"),
    SANDBOX_PAUSING("sandbox.pausing"),
    SANDBOX_PAUSED("sandbox.paused"),
    /** It runs as before. */
    SANDBOX_PAUSE_FAILED("sandbox.pause_failed"),
    SANDBOX_RESUMING("sandbox.resuming"),
    SANDBOX_RESUMED("sandbox.resumed"),
    /** It is paused as before. */
    SANDBOX_RESUME_FAILED("sandbox.resume_failed"),
    /** A snapshot is taking the place of its state, which is kept first. */
    SANDBOX_RESTORING("sandbox.restoring"),
    /** It runs from that snapshot. */
    SANDBOX_RESTORED("sandbox.restored"),
    /** It has the state that it had before, and runs or is about to go on. */
    SANDBOX_RESTORE_FAILED("sandbox.restore_failed"),
    SANDBOX_ENDED("sandbox.ended"),

    CAPTURE_ACCEPTED("capture.accepted"),
    CAPTURE_COMPLETED("capture.completed"),
    CAPTURE_FAILED("capture.failed"),
    CAPTURE_CANCELLED("capture.cancelled"),

    SNAPSHOT_SAVED("snapshot.saved"),
    /** The catalogue has it again, from what the store has. */
    SNAPSHOT_IMPORTED("snapshot.imported"),
    SNAPSHOT_EXPIRING("snapshot.expiring"),
    SNAPSHOT_EXPIRED("snapshot.expired"),
    SNAPSHOT_DELETED("snapshot.deleted"),
    /** It was expired or deleted, and is saved again. */
    SNAPSHOT_RECOVERED("snapshot.recovered"),
    /** It leaves the trash for good. */
    SNAPSHOT_PURGED("snapshot.purged"),
    SNAPSHOT_PINNED("snapshot.pinned"),
    SNAPSHOT_UNPINNED("snapshot.unpinned"),
    SNAPSHOT_HELD("snapshot.held"),
    /** Its objects are gone, and with them what it cost. */
    SNAPSHOT_REMOVED("snapshot.removed"),
    /** Parts of it are missing or corrupt, or whole again. */
    SNAPSHOT_PARTS_CHANGED("snapshot.parts_changed"),
    SNAPSHOT_RESTORE_FAILED("snapshot.restore_failed"),
    /** What was wrong with it is over. */
    SNAPSHOT_RESTORABLE("snapshot.restorable"),

    VOLUME_CREATED("volume.created"),
    VOLUME_DELETED("volume.deleted"),

    /** A process has taken its name, and is about to take sandboxes. */
    WORKER_REGISTERED("worker.registered"),
    /** Its lease is over. */
    WORKER_UNREACHABLE("worker.unreachable"),
    /** It is heard of again. */
    WORKER_REACHABLE("worker.reachable"),
    /** What it ran has been given up. */
    WORKER_LOST("worker.lost"),
    /** It takes no more, and what it runs is paused. */
    WORKER_DRAINING("worker.draining"),
    /** Nothing runs there any more. */
    WORKER_DRAINED("worker.drained"),
    /** Somebody wants it to take sandboxes again. */
    WORKER_DRAIN_ENDED("worker.drain_ended"),

    QUOTA_WARNING("quota.warning"),
    QUOTA_REPAIRED("quota.repaired"),

    /** It was taken for dead, or wanted no more. */
    WEBHOOK_DISABLED("webhook.disabled"),

    /** The chain of an audit was recomputed and is whole; its newest entry is told. */
    AUDIT_VERIFIED("audit.verified"),
    /** It is not what it was. */
    AUDIT_BROKEN("audit.broken"),

    JOB_STARTED("job.started"),
    JOB_COMPLETED("job.completed"),
    JOB_STOPPED("job.stopped"),
    JOB_FAILED("job.failed");

    private final String word;

    EventType(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /** What it happens to: {@code snapshot}. */
    public String kind() {
        return word.substring(0, word.indexOf('.'));
    }

    public static Optional<EventType> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    /** Whether anything happens to what is called that. */
    public static boolean isKind(String word) {
        return Arrays.stream(values()).anyMatch(each -> each.kind().equals(word));
    }
}
