package dev.holdfast.peek;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A machine that only shows what is in a snapshot, and that nobody but this system knows of. */
@Entity
public class Peek {

    private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

    /** How far it is. */
    public enum State {
        OPENING,
        OPEN,
        FAILED
    }

    @Id private UUID id;
    private UUID projectId;
    private UUID snapshotId;
    private String workerId;
    private String machine;

    @Enumerated(EnumType.STRING)
    private State state;

    private String reason;
    private String failure;
    private Instant createdAt;

    protected Peek() {}

    Peek(ProjectId project, SnapshotId snapshot, String worker, Instant now) {
        this.id = UUID.randomUUID();
        this.projectId = project.value();
        this.snapshotId = snapshot.value();
        this.workerId = worker;
        this.state = State.OPENING;
        this.createdAt = now;
    }

    /** What those who wait for one are told of. */
    public static String subject(UUID id) {
        return "peek:" + id;
    }

    public UUID id() {
        return id;
    }

    public ProjectId project() {
        return new ProjectId(projectId);
    }

    public SnapshotId snapshot() {
        return new SnapshotId(snapshotId);
    }

    public State state() {
        return state;
    }

    /** Why it did not open; empty when it did, or may still. */
    public Optional<Problem> problem() {
        if (state != State.FAILED) {
            return Optional.empty();
        }
        Problem told = new Problem(Reason.valueOf(reason), failure);
        return Optional.of(
                Reason.valueOf(reason) == Reason.WORKER_BUSY ? told.retryAfter(ASK_AGAIN) : told);
    }

    /** Whether its machine, so named, may be made now. */
    boolean claim(String worker, String made) {
        if (state != State.OPENING || machine != null || !workerId.equals(worker)) {
            return false;
        }
        machine = made;
        return true;
    }

    boolean open(String made) {
        if (state != State.OPENING || !made.equals(machine)) {
            return false;
        }
        state = State.OPEN;
        return true;
    }

    boolean fail(Reason why, String words) {
        if (state == State.FAILED) {
            return false;
        }
        state = State.FAILED;
        reason = why.name();
        failure = words;
        machine = null;
        return true;
    }
}
