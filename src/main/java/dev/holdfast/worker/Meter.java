package dev.holdfast.worker;

import dev.holdfast.database.DatabaseTime;
import dev.holdfast.runtime.MachineFailure;
import dev.holdfast.runtime.SandboxRuntime;
import dev.holdfast.runtime.Usage;
import dev.holdfast.sandbox.Metric;
import dev.holdfast.sandbox.Metrics;
import dev.holdfast.template.Size;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes down what this worker's sandboxes use; read on the host, so no sandbox is asked. */
@ApplicationScoped
class Meter {

    static final Duration PERIOD = Duration.ofSeconds(5);

    @Inject DatabaseTime time;
    @Inject LiveSandboxes live;
    @Inject Metrics metrics;
    @Inject Event<Readings> observers;
    @Inject SandboxRuntime runtime;

    /** Only the one tick that runs at a time touches it. */
    private Map<LiveSandbox, Spent> last = Map.of();

    private record Spent(Instant at, Duration cpu) {}

    void take() {
        Instant now = time.now();
        List<Metric> taken = new ArrayList<>();
        List<Reading> seen = new ArrayList<>();
        Map<LiveSandbox, Spent> readings = new HashMap<>();
        for (LiveSandbox sandbox : live.all()) {
            try {
                Usage usage = runtime.usage(sandbox.machine().id());
                Spent before =
                        last.getOrDefault(
                                sandbox, new Spent(sandbox.machine().startedAt(), Duration.ZERO));
                readings.put(sandbox, new Spent(now, usage.cpu()));
                taken.add(metric(sandbox, now, usage, before));
                seen.add(Reading.of(sandbox, usage, now));
            } catch (MachineFailure gone) {
                // It ended between the list and the reading.
            }
        }
        last = readings;
        if (!taken.isEmpty()) {
            metrics.record(taken);
        }
        observers.fire(new Readings(now, seen));
    }

    private static Metric metric(LiveSandbox sandbox, Instant now, Usage usage, Spent before) {
        Size size = sandbox.size();
        double span = Math.max(1, Duration.between(before.at(), now).toMillis());
        double used = usage.cpu().minus(before.cpu()).toMillis();
        return new Metric(
                sandbox.id(),
                now,
                size.cpus(),
                100 * used / span / size.cpus(),
                usage.memory(),
                usage.memoryLimit(),
                0,
                usage.disk(),
                usage.diskLimit());
    }
}
