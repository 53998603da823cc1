package dev.holdfast.worker;

import dev.holdfast.sandbox.SandboxId;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The sandboxes whose machines run on this worker and may be talked to. A sandbox is here from the
 * moment its machine is identified until the first moment of its end; the data plane asks here on
 * every request, so it is a map in memory and never a query.
 */
@ApplicationScoped
public class LiveSandboxes {

    private final ConcurrentMap<SandboxId, LiveSandbox> live = new ConcurrentHashMap<>();

    @Inject Lease lease = new Lease();

    /** From the moment on when this worker's lease is over none is found. */
    public Optional<LiveSandbox> find(SandboxId id) {
        return Optional.ofNullable(live.get(id)).filter(sandbox -> !lease.isOver());
    }

    public Collection<LiveSandbox> all() {
        return List.copyOf(live.values());
    }

    /** A paused sandbox may go on before the last of its old machine has left. */
    void add(LiveSandbox sandbox) {
        LiveSandbox before = live.put(sandbox.id(), sandbox);
        if (before != null) {
            before.leave();
        }
    }

    /** Takes a sandbox out, unless another machine stands in its place by now. */
    void remove(LiveSandbox sandbox) {
        live.remove(sandbox.id(), sandbox);
        sandbox.leave();
    }
}
