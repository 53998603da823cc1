package dev.holdfast.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs machines on this host. Every operation may be called from any thread and blocks until done;
 * refusals and failures are {@link MachineFailure}.
 */
public interface SandboxRuntime extends AutoCloseable {
    /** Cheap: the answer may be some seconds old. */
    Readiness readiness();

    /** A fresh machine from its template. All or nothing. */
    Machine start(MachineSpec spec);

    /**
     * A machine from a checkpoint, which is only read. Memory, processes and written files come
     * from the image; address, limits, FIFOs and egress from the spec. All or nothing.
     */
    Machine restore(MachineSpec spec, Path image);

    /**
     * Saves the machine and lets it go on (a paused one stays paused). External connections of the
     * machine are cut. The directory must not exist, its parent must; after a failure it does not
     * exist again.
     */
    Checkpoint checkpoint(MachineId id, Path directory);

    /** Stops every process, keeps memory. Pausing a paused machine changes nothing. */
    void pause(MachineId id);

    /** The reverse of {@link #pause}. Resuming a running machine changes nothing. */
    void resume(MachineId id);

    /**
     * Returns when every process of the machine is dead; the rest of it is removed soon after, and
     * retried until it is. Idempotent, also for machines that never were. Tells no {@link
     * MachineEnd}.
     */
    void kill(MachineId id);

    /** What runs or is paused, also what ran before a restart and was not adopted yet. */
    List<Machine> running();

    /**
     * To be called once before the first start: keeps those machines of an earlier run that are
     * named and still live, and removes everything else that carries this instance's ID.
     *
     * @return the machines kept; a named one that is missing here ended while nobody watched
     */
    List<Machine> adopt(Set<MachineId> keep);

    /** Called on one thread, in order, for each machine that ends without {@link #kill}. */
    void onEnd(Consumer<MachineEnd> listener);

    Usage usage(MachineId id);

    /**
     * Replaces what the machine may reach; in force when this returns. Open connections that are
     * now denied are cut, others go on. After a failure the machine may reach no more than before.
     */
    void network(MachineId id, Egress egress);

    /** Ends every machine and removes everything made on this host. */
    @Override
    void close();
}
