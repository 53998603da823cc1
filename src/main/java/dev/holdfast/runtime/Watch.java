package dev.holdfast.runtime;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Looks at every machine each tick. It reads a few small files for each, so one thread is enough
 * for hundreds. A kill by the kernel is always the end: it may have hit a part without which the
 * sandbox kernel hangs for ever but does not die.
 */
final class Watch {
    private static final System.Logger LOG = System.getLogger(Watch.class.getName());
    private static final Duration RULES = Duration.ofSeconds(2);

    private final Supplier<Collection<Cell>> cells;
    private final Host host;
    private final BiConsumer<Cell, MachineEnd.Reason> ended;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    task -> {
                        var worker = new Thread(task, "holdfast-watch");
                        worker.setDaemon(true);
                        return worker;
                    });

    Watch(Supplier<Collection<Cell>> cells, Host host, BiConsumer<Cell, MachineEnd.Reason> ended) {
        this.cells = cells;
        this.host = host;
        this.ended = ended;
    }

    void open(Duration tick) {
        every(tick, this::look);
        every(RULES, this::keepRules);
    }

    void close() {
        thread.shutdown();
        try {
            thread.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        for (Cell cell : cells.get()) {
            if (cell.is(Cell.State.RUNNING)) {
                end(cell).ifPresent(reason -> ended.accept(cell, reason));
            }
        }
    }

    /** Alive first: who dies of a counted reason has been counted before it is seen dead. */
    private Optional<MachineEnd.Reason> end(Cell cell) {
        boolean alive = cell.record().alive();
        if (host.cgroups().memoryKills(cell.id()) > 0) {
            return Optional.of(MachineEnd.Reason.OUT_OF_MEMORY);
        }
        if (host.cgroups().refusedTasks(cell.id()) > 0) {
            return Optional.of(MachineEnd.Reason.OUT_OF_PROCESSES);
        }
        return alive ? Optional.empty() : Optional.of(MachineEnd.Reason.FAILED);
    }

    private void keepRules() {
        if (host.restoreRules()) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "The firewall table was changed by others; it is back");
        }
    }

    private void every(Duration period, Runnable task) {
        thread.scheduleWithFixedDelay(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException e) {
                        LOG.log(System.Logger.Level.WARNING, "Watching goes on", e);
                    }
                },
                period.toMillis(),
                period.toMillis(),
                TimeUnit.MILLISECONDS);
    }
}
