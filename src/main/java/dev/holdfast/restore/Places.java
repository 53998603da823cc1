package dev.holdfast.restore;

import dev.holdfast.fleet.Worker;
import dev.holdfast.fleet.Workers;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.snapshot.Fingerprint;
import dev.holdfast.snapshot.PartsState;
import dev.holdfast.snapshot.Snapshot;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** Where a saved state can be restored, and why not. */
@ApplicationScoped
class Places {

    @Inject Workers workers;

    /**
     * The worker for a saved state: one that can, if possible the one that made it.
     *
     * @throws Problem {@code incompatible_runtime}, {@code no_worker}, {@code worker_busy}
     */
    Worker of(Snapshot snapshot) {
        if (snapshot.partsState() != PartsState.COMPLETE) {
            throw new Problem(
                    Reason.INCOMPATIBLE_RUNTIME,
                    "Snapshot "
                            + snapshot.id()
                            + " has missing or damaged parts and cannot be restored. Use another"
                            + " snapshot.");
        }
        Fingerprint needed = snapshot.fingerprint().orElseThrow();
        List<Worker> reachable = workers.reachable();
        if (reachable.stream().anyMatch(worker -> worker.missing().isEmpty())
                && reachable.stream().noneMatch(worker -> suits(worker, needed))) {
            throw new Problem(
                            Reason.INCOMPATIBLE_RUNTIME,
                            "No worker has the platform and processor features that snapshot "
                                    + snapshot.id()
                                    + " was made with. Use another snapshot, or add such a"
                                    + " worker.")
                    .with("architecture", needed.architecture())
                    .with("platform", needed.platform())
                    .with("runtimeBuild", needed.runtimeBuild());
        }
        return workers.pick(worker -> suits(worker, needed), Optional.of(snapshot.worker()));
    }

    /** A worker fetches the runtime build it needs, so only what cannot be fetched counts. */
    private static boolean suits(Worker worker, Fingerprint needed) {
        return worker.architecture().equals(needed.architecture())
                && worker.platform().equals(needed.platform())
                && new HashSet<>(worker.cpuFeatures()).containsAll(needed.cpuFeatures());
    }
}
