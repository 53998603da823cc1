package dev.holdfast.worker;

import dev.holdfast.access.ProjectId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

/** For how many peeks there is room on this worker, and for how many of one project. */
final class PeekRoom {

    /** Whoever was asked to make room may be in the way no more. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    private final int most;
    private final int ofProject;
    private final Map<UUID, ProjectId> taken = new HashMap<>();

    PeekRoom(int most, int ofProject) {
        this.most = most;
        this.ofProject = ofProject;
    }

    /**
     * Takes a place, for which one that nobody uses may have to go. Where only its own project is
     * in the way nobody waits, for others wait behind; but for one that goes in this moment.
     *
     * @param makeRoom ends an idle one of those projects; whether there was one
     * @return whether there was one in time
     */
    boolean take(
            UUID peek,
            ProjectId project,
            Duration patience,
            Predicate<Predicate<ProjectId>> makeRoom) {
        long now = System.nanoTime();
        long end = now + patience.toNanos();
        long soon = Math.min(end, now + LOOK_AGAIN.toNanos());
        while (!tryTake(peek, project)) {
            boolean full = isFull(project);
            boolean made = makeRoom.test(full ? project::equals : any -> true);
            if (!made && !pause(full ? soon : end)) {
                return false;
            }
        }
        return true;
    }

    synchronized void leave(UUID peek) {
        taken.remove(peek);
        notifyAll();
    }

    private synchronized boolean tryTake(UUID peek, ProjectId project) {
        if (taken.size() >= most || isFull(project)) {
            return false;
        }
        taken.put(peek, project);
        return true;
    }

    private synchronized boolean isFull(ProjectId project) {
        return taken.values().stream().filter(project::equals).count() >= ofProject;
    }

    private synchronized boolean pause(long end) {
        try {
            wait(LOOK_AGAIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return System.nanoTime() < end;
    }
}
