package dev.holdfast.worker;

import dev.holdfast.access.ProjectId;
import dev.holdfast.agent.Probe;
import dev.holdfast.runtime.Machine;
import dev.holdfast.snapshot.SnapshotId;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** A machine on this worker that shows what is in a snapshot, and who looks at it now. */
public final class LivePeek {

    /** How many programs of ours look around in it at once, besides a comparison. */
    public static final int MOST_LOOKS = 4;

    private final UUID id;
    private final ProjectId project;
    private final SnapshotId snapshot;
    private final Machine machine;
    private final AgentLine line;
    private final Instant openedAt;
    private int users;
    private int looks;
    private Instant usedAt;
    private boolean closed;

    LivePeek(
            UUID id,
            ProjectId project,
            SnapshotId snapshot,
            Machine machine,
            AgentLine line,
            Instant now) {
        this.id = id;
        this.project = project;
        this.snapshot = snapshot;
        this.machine = machine;
        this.line = line;
        this.openedAt = now;
        this.usedAt = now;
    }

    public UUID id() {
        return id;
    }

    public SnapshotId snapshot() {
        return snapshot;
    }

    /** What looks into it. */
    public Probe probe() {
        return new Probe(line.agent());
    }

    /** Keeps it until {@link #leave}; not if it is on its way out. */
    public synchronized boolean enter() {
        if (!closed) {
            users++;
        }
        return !closed;
    }

    public synchronized void leave(Instant now) {
        users--;
        usedAt = now;
    }

    /** Whoever has entered may look too, unless as many do as may at once. */
    public synchronized boolean look() {
        if (looks == MOST_LOOKS) {
            return false;
        }
        looks++;
        return true;
    }

    /** The look is over, and who looked leaves. */
    public synchronized void looked(Instant now) {
        looks--;
        leave(now);
    }

    ProjectId project() {
        return project;
    }

    Machine machine() {
        return machine;
    }

    AgentLine line() {
        return line;
    }

    synchronized Instant usedAt() {
        return usedAt;
    }

    synchronized boolean isIdle() {
        return users == 0 && !closed;
    }

    /** Takes it from those who come, if nobody is here and it is due. */
    synchronized boolean closeIfDue(Instant now, Duration linger, Duration longest) {
        boolean idle = users == 0 && !usedAt.plus(linger).isAfter(now);
        boolean due = idle || !openedAt.plus(longest).isAfter(now);
        return due && close();
    }

    synchronized boolean closeIfIdle() {
        return users == 0 && close();
    }

    synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }
}
