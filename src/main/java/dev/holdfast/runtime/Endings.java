package dev.holdfast.runtime;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The one clean-up. Whoever won {@link Cell#end} comes here: processes at once, the rest on one
 * thread, again and again until it is gone. The cell stays known until then.
 */
final class Endings {
    private static final System.Logger LOG = System.getLogger(Endings.class.getName());
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final Host host;
    private final Map<MachineId, Cell> cells;
    private final Clock clock;
    private final List<Consumer<MachineEnd>> listeners = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService remover =
            Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "holdfast-remove"));
    private final ExecutorService teller =
            Executors.newSingleThreadExecutor(task -> daemon(task, "holdfast-ends"));

    Endings(
            Host host,
            Map<MachineId, Cell> cells,
            Clock clock,
            Collection<Consumer<MachineEnd>> listeners) {
        this.host = host;
        this.cells = cells;
        this.clock = clock;
        this.listeners.addAll(listeners);
    }

    void onEnd(Consumer<MachineEnd> listener) {
        listeners.add(listener);
    }

    /** By the watch: kill what is left, tell, remove. */
    void ended(Cell cell, MachineEnd.Reason reason) {
        if (!cell.end()) {
            return;
        }
        LOG.log(System.Logger.Level.INFO, "Machine {0} ended: {1}", cell.id(), reason);
        try {
            host.cgroups().kill(cell.id());
        } finally {
            tell(new MachineEnd(cell.id(), reason, clock.instant()));
            removeSoon(cell, Duration.ZERO);
        }
    }

    /** By a caller. Safe to call again and again, and while the machine starts. */
    void kill(Cell cell) {
        boolean first = cell.end();
        // While it starts, the starting thread owns what is made and removes it.
        cell.settled().join();
        try {
            host.cgroups().kill(cell.id());
        } finally {
            if (first && !cell.halfMade()) {
                removeSoon(cell, Duration.ZERO);
            }
        }
    }

    /** By the starting thread, for what it could not finish. */
    void abandon(Cell cell) {
        cell.abandon();
        try {
            host.cgroups().kill(cell.id());
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "Killing again soon", e);
        }
        cell.settled().complete(null);
        remove(cell, Duration.ofSeconds(1));
    }

    /** Waits for what is under way; what is still left then is the caller's. */
    void close() {
        remover.shutdown();
        teller.shutdown();
        try {
            remover.awaitTermination(30, TimeUnit.SECONDS);
            teller.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void removeSoon(Cell cell, Duration pause) {
        if (!remover.isShutdown()) {
            remover.schedule(() -> remove(cell, pause), pause.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void remove(Cell cell, Duration lastPause) {
        try {
            host.remove(cell.directory());
            cell.releaseTemplate(host.templates());
            cells.remove(cell.id(), cell);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "Removing " + cell.id() + " again soon", e);
            Duration pause = lastPause.multipliedBy(2).plusMillis(500);
            removeSoon(cell, pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause);
        }
    }

    private void tell(MachineEnd end) {
        teller.execute(
                () -> {
                    for (Consumer<MachineEnd> listener : listeners) {
                        try {
                            listener.accept(end);
                        } catch (RuntimeException e) {
                            LOG.log(System.Logger.Level.ERROR, "A listener failed on " + end, e);
                        }
                    }
                });
    }

    private static Thread daemon(Runnable task, String name) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
