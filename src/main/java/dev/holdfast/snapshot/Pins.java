package dev.holdfast.snapshot;

import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Events;
import dev.holdfast.problem.Problem;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/** What keeps snapshots from their end: pins, which can be lifted, and holds, which cannot. */
@Stateless
public class Pins {

    private static final Duration LONGEST = Duration.ofDays(3650);

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject Changes changes;
    @Inject DatabaseTime time;
    @Inject Events events;
    @Inject Snapshots snapshots;

    /**
     * Pins a snapshot, or gives its pin another reason, owner and end.
     *
     * @param until empty: until somebody lifts it
     * @param seen the version that the caller saw, if it matters to it
     * @throws Problem what became of one that is no more; {@code invalid_parameter}; {@code
     *     precondition_failed}
     */
    public Snapshot pin(
            ProjectId project,
            SnapshotId id,
            String reason,
            Optional<Instant> until,
            String by,
            OptionalLong seen) {
        return change(
                project,
                id,
                seen,
                (snapshot, now) -> {
                    until.ifPresent(end -> requireSoon(end, now));
                    Pin pin = new Pin(reason, by, now, until.map(this::micros).orElse(null));
                    snapshot.pin(pin);
                    audit.done(
                            Deeds.of(Action.SNAPSHOT_PIN, snapshot)
                                    .with("reason", reason)
                                    .with("until", until.orElse(null)));
                    events.publish(Notices.pinned(snapshot, pin));
                });
    }

    /**
     * Lifts a pin; where there is none nothing is changed. What would have expired meanwhile has a
     * day left.
     *
     * @throws Problem what became of one that is no more; {@code precondition_failed}
     */
    public Snapshot unpin(ProjectId project, SnapshotId id, OptionalLong seen) {
        return change(
                project,
                id,
                seen,
                (snapshot, now) -> {
                    Optional<Pin> lifted = snapshot.unpin(now);
                    lifted.ifPresent(
                            pin -> {
                                audit.done(
                                        Deeds.of(Action.SNAPSHOT_UNPIN, snapshot)
                                                .with("reason", pin.reason())
                                                .with("pinnedBy", pin.by())
                                                .with("expiresAt", snapshot.endsAt().orElse(null)));
                                events.publish(Notices.unpinned(snapshot));
                            });
                });
    }

    /**
     * Holds a snapshot until a moment, or longer than it was held so far.
     *
     * @throws Problem {@code snapshot_held} for a sooner end than it has; what became of one that
     *     is no more; {@code invalid_parameter}; {@code precondition_failed}
     */
    public Snapshot hold(
            ProjectId project,
            SnapshotId id,
            String reason,
            Instant until,
            String by,
            OptionalLong seen) {
        return change(
                project,
                id,
                seen,
                (snapshot, now) -> {
                    requireSoon(until, now);
                    Optional<Hold> before = snapshot.hold(now);
                    Hold hold = new Hold(reason, by, now, micros(until));
                    snapshot.hold(hold, now);
                    audit.done(
                            Deeds.of(Action.SNAPSHOT_HOLD, snapshot)
                                    .with("reason", reason)
                                    .with("until", until)
                                    .with("before", before.map(Hold::until).orElse(null)));
                    events.publish(Notices.held(snapshot, hold));
                });
    }

    private Snapshot change(
            ProjectId project,
            SnapshotId id,
            OptionalLong seen,
            BiConsumer<Snapshot, Instant> change) {
        Snapshot snapshot = snapshots.lockAskedFor(project, id);
        Instant now = time.now();
        snapshot.requireUsable(now);
        snapshot.requireVersion(seen);
        change.accept(snapshot, now);
        em.flush();
        changes.tell(snapshot);
        return snapshot;
    }

    private Instant micros(Instant moment) {
        return moment.truncatedTo(ChronoUnit.MICROS);
    }

    /** A mistyped year would keep it, and its bytes, for good. */
    private void requireSoon(Instant until, Instant now) {
        if (!until.isAfter(now) || until.isAfter(now.plus(LONGEST))) {
            throw Problem.invalid(
                    "until",
                    "\"until\" lies in the future, at most " + LONGEST.toDays() + " days ahead.");
        }
    }
}
