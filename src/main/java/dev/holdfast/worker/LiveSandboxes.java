package dev.holdfast.worker;

import dev.holdfast.sandbox.SandboxId;
import jakarta.enterprise.context.ApplicationScoped;
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

    public Optional<LiveSandbox> find(SandboxId id) {
        return Optional.ofNullable(live.get(id));
    }

    public Collection<LiveSandbox> all() {
        return List.copyOf(live.values());
    }

    void add(LiveSandbox sandbox) {
        if (live.putIfAbsent(sandbox.id(), sandbox) != null) {
            throw new IllegalStateException("sandbox " + sandbox.id() + " is live already");
        }
    }

    /** Takes a sandbox out; whoever gets it is the one who ends its machine. */
    Optional<LiveSandbox> remove(SandboxId id) {
        LiveSandbox removed = live.remove(id);
        if (removed != null) {
            removed.leave();
        }
        return Optional.ofNullable(removed);
    }
}
