package dev.holdfast.worker;

import dev.holdfast.agent.Agent;
import dev.holdfast.runtime.Machine;
import dev.holdfast.sandbox.SandboxId;
import java.net.Inet4Address;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One sandbox on this worker: its machine, its agent, and what the data plane must know of it. */
public final class LiveSandbox {

    private final SandboxId id;
    private final Machine machine;
    private final Agent agent;
    private final boolean secured;
    private final boolean publicTraffic;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private volatile Instant endAt;

    LiveSandbox(
            SandboxId id,
            Machine machine,
            Agent agent,
            boolean secured,
            boolean publicTraffic,
            Instant endAt) {
        this.id = id;
        this.machine = machine;
        this.agent = agent;
        this.secured = secured;
        this.publicTraffic = publicTraffic;
        this.endAt = endAt;
    }

    public SandboxId id() {
        return id;
    }

    /** Where its user ports are reached from this host. */
    public Inet4Address address() {
        return machine.address();
    }

    public Agent agent() {
        return agent;
    }

    /** Whether the data plane demands the access token. */
    public boolean isSecured() {
        return secured;
    }

    /** Whether user ports answer without the traffic token. */
    public boolean hasPublicTraffic() {
        return publicTraffic;
    }

    /** Completes when the sandbox stops being live here: what still streams from it is cut then. */
    public CompletionStage<Void> gone() {
        return gone.minimalCompletionStage();
    }

    Machine machine() {
        return machine;
    }

    Instant endAt() {
        return endAt;
    }

    void endsAt(Instant moment) {
        endAt = moment;
    }

    void leave() {
        gone.complete(null);
    }
}
