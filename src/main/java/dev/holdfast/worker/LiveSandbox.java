package dev.holdfast.worker;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.AgentChannel;
import dev.holdfast.runtime.Machine;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import java.net.InetAddress;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One sandbox on this worker: its machine, its agent, and what the data plane must know of it. */
public final class LiveSandbox {

    private final SandboxId id;
    private final Machine machine;
    private final AgentChannel channel;
    private final int agentProtocol;
    private final Agent agent;
    private final boolean secured;
    private final boolean publicTraffic;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private Instant endAt;
    private long version = -1;

    LiveSandbox(
            SandboxId id,
            Machine machine,
            AgentChannel channel,
            int agentProtocol,
            boolean secured,
            boolean publicTraffic) {
        this.id = id;
        this.machine = machine;
        this.channel = channel;
        this.agentProtocol = agentProtocol;
        this.agent = new Agent(channel);
        this.secured = secured;
        this.publicTraffic = publicTraffic;
    }

    public SandboxId id() {
        return id;
    }

    /** Where its user ports are reached from this host. */
    public InetAddress address() {
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

    AgentChannel channel() {
        return channel;
    }

    /** The version of the channel its agent speaks; a clone's agent speaks the same. */
    int agentProtocol() {
        return agentProtocol;
    }

    Machine machine() {
        return machine;
    }

    synchronized Instant endAt() {
        return endAt;
    }

    /** Takes what the row says, unless a later state of the row was seen before. */
    synchronized void follow(Sandbox row) {
        if (row.version() > version) {
            version = row.version();
            endAt = row.endAt();
        }
    }

    void leave() {
        gone.complete(null);
    }
}
