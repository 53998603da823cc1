package dev.holdfast.worker;

import dev.holdfast.runtime.MachineId;
import dev.holdfast.runtime.SandboxRuntime;
import dev.holdfast.sandbox.NetworkChanges;
import dev.holdfast.sandbox.NetworkChanges.Wanted;
import dev.holdfast.sandbox.NetworkPolicy;
import dev.holdfast.sandbox.SandboxId;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Puts in force what the rows of this worker's sandboxes say of the network. Reading the row,
 * changing the rules and reporting are one step for each sandbox, so that of two changes the later
 * one stays.
 */
@ApplicationScoped
public class Networks {

    private static final Logger LOG = Logger.getLogger(Networks.class);

    /** A change can be taken back or followed by another while it is made; not for ever. */
    private static final int MOST_ROUNDS = 10;

    private final ReentrantLock[] turns =
            Stream.generate(ReentrantLock::new).limit(64).toArray(ReentrantLock[]::new);

    @Inject SandboxRuntime runtime;
    @Inject NetworkChanges changes;

    void apply(SandboxId id) {
        ReentrantLock turn = turns[Math.floorMod(id.hashCode(), turns.length)];
        turn.lock();
        try {
            for (int round = 0; round < MOST_ROUNDS; round++) {
                Optional<Wanted> wanted = changes.wanted(id);
                if (wanted.isEmpty() || apply(id, wanted.get())) {
                    return;
                }
            }
        } finally {
            turn.unlock();
        }
    }

    /** True when what the row wanted is in force, or was refused. */
    private boolean apply(SandboxId id, Wanted wanted) {
        NetworkPolicy policy = wanted.sandbox().network();
        MachineId machine = new MachineId(wanted.sandbox().machine().orElseThrow());
        try {
            runtime.network(machine, Egresses.of(policy));
        } catch (RuntimeException e) {
            LOG.warnf(e, "The network of sandbox %s cannot be changed", id);
            String why = Explanation.of(e).words();
            wanted.change().ifPresent(change -> changes.fail(id, change, why));
            return true;
        }
        LOG.debugf("Sandbox %s may reach %s", id, policy.words());
        return wanted.change().map(change -> changes.inForce(id, change, policy)).orElse(true);
    }
}
