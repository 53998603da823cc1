package dev.holdfast.contents;

import dev.holdfast.access.ProjectId;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Two snapshots that are compared, or were: neither ever changes, nor what came of it. */
@Entity
public class Comparison {

    /** How far it is. */
    public enum State {
        ACCEPTED,
        RUNNING,
        DONE,
        FAILED,
        CANCELLED
    }

    /** In which it is not over. */
    static final List<State> UNDER_WAY = List.of(State.ACCEPTED, State.RUNNING);

    @Id private UUID id;
    private UUID projectId;
    private UUID baseId;
    private UUID otherId;
    private String workerId;

    @Enumerated(EnumType.STRING)
    private State state;

    private long entries;
    private String summary;
    private String failure;
    private Instant createdAt;
    private String createdBy;
    private Instant endedAt;
    private Instant expiresAt;

    protected Comparison() {}

    Comparison(
            ProjectId project,
            SnapshotId base,
            SnapshotId other,
            String worker,
            String by,
            Instant now,
            Duration kept) {
        this.id = UUID.randomUUID();
        this.projectId = project.value();
        this.baseId = base.value();
        this.otherId = other.value();
        this.workerId = worker;
        this.state = State.ACCEPTED;
        this.createdAt = now;
        this.createdBy = by;
        this.expiresAt = now.plus(kept);
    }

    /** What those who wait for one are told of. */
    public static String subject(UUID id) {
        return "comparison:" + id;
    }

    public UUID id() {
        return id;
    }

    public ProjectId project() {
        return new ProjectId(projectId);
    }

    /** As it was. */
    public SnapshotId base() {
        return new SnapshotId(baseId);
    }

    /** As it is. */
    public SnapshotId other() {
        return new SnapshotId(otherId);
    }

    public State state() {
        return state;
    }

    /** How many entries of both were looked at. */
    public long entries() {
        return entries;
    }

    Optional<String> summary() {
        return Optional.ofNullable(summary);
    }

    public Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    public Instant createdAt() {
        return createdAt;
    }

    public Optional<Instant> endedAt() {
        return Optional.ofNullable(endedAt);
    }

    public Instant expiresAt() {
        return expiresAt;
    }

    public boolean isUnderWay() {
        return UNDER_WAY.contains(state);
    }

    boolean claim(String worker) {
        if (state != State.ACCEPTED || !workerId.equals(worker)) {
            return false;
        }
        state = State.RUNNING;
        return true;
    }

    boolean count(long seen) {
        entries = seen;
        return state == State.RUNNING;
    }

    boolean finish(String told, long seen, Instant now) {
        if (state != State.RUNNING) {
            return false;
        }
        state = State.DONE;
        summary = told;
        entries = seen;
        endedAt = now;
        return true;
    }

    boolean fail(String why, Instant now) {
        if (!isUnderWay()) {
            return false;
        }
        state = State.FAILED;
        failure = why;
        endedAt = now;
        return true;
    }

    boolean cancel(Instant now) {
        if (!isUnderWay()) {
            return false;
        }
        state = State.CANCELLED;
        endedAt = now;
        return true;
    }
}
