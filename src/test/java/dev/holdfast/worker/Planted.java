package dev.holdfast.worker;

import dev.holdfast.agent.AgentChannel;
import dev.holdfast.runtime.Machine;
import dev.holdfast.sandbox.NetworkPolicy;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.template.Size;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** Puts sandboxes into the registry without a worker that would start them. */
public final class Planted {

    private Planted() {}

    /** A sandbox whose ports are this host's and whose agent is at the other end of the channel. */
    public static LiveSandbox add(
            LiveSandboxes sandboxes,
            SandboxId id,
            AgentChannel channel,
            boolean secured,
            boolean publicTraffic) {
        return add(
                sandboxes,
                id,
                channel,
                secured,
                new NetworkPolicy(
                        Optional.empty(), List.of(), List.of(), publicTraffic, Optional.empty()));
    }

    /** The same with all of a network policy. */
    public static LiveSandbox add(
            LiveSandboxes sandboxes,
            SandboxId id,
            AgentChannel channel,
            boolean secured,
            NetworkPolicy network) {
        InetAddress here = InetAddress.getLoopbackAddress();
        Machine machine = new Machine(null, 1, null, null, here, null, null, null);
        LiveSandbox sandbox =
                new LiveSandbox(
                        id,
                        machine,
                        new AgentLine(channel, 1),
                        secured,
                        network,
                        new Size(2, 512, 1024));
        sandboxes.add(sandbox);
        return sandbox;
    }

    public static void remove(LiveSandboxes sandboxes, SandboxId id) {
        sandboxes.find(id).ifPresent(sandboxes::remove);
    }
}
