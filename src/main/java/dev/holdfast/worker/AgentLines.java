package dev.holdfast.worker;

import dev.holdfast.agent.AgentChannel;
import dev.holdfast.agent.Hello;
import dev.holdfast.agent.Patience;
import dev.holdfast.agent.Room;
import dev.holdfast.runtime.Machine;
import dev.holdfast.sandbox.EndReason;
import dev.holdfast.sandbox.Sandboxes;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;

/**
 * The lines to the agents of the live sandboxes. A line that breaks (damaged frames, an agent that
 * did not read for too long) is opened anew on the same FIFOs; what streamed over the old one has
 * been cut. A sandbox whose agent stays silent ends, so that nobody is left with one that runs and
 * cannot be reached.
 */
@ApplicationScoped
class AgentLines {

    private static final Logger LOG = Logger.getLogger(AgentLines.class);
    private static final int TRIES = 3;
    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    @Inject LiveSandboxes live;
    @Inject Sandboxes sandboxes;
    @Inject WorkerConfig config;
    @Resource ManagedExecutorService executor;

    /** What all agents said together. */
    private Room held;

    @PostConstruct
    void begin() {
        held = new Room(config.held());
    }

    /** Opens a line and waits for the agent's first answer. */
    AgentLine open(String name, Machine machine) throws IOException {
        AgentChannel channel =
                AgentChannel.open(
                        machine.in(),
                        machine.out(),
                        name,
                        held,
                        executor,
                        Patience.of(config.answer()));
        try {
            Hello hello = Awaited.of(channel.connect(config.greeting()), config.greeting());
            return new AgentLine(channel, hello.version());
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Keeps the line of a live sandbox open until the sandbox leaves the registry. */
    void keep(LiveSandbox sandbox) {
        AgentLine line = sandbox.line();
        line.channel().ended().thenAccept(why -> executor.execute(() -> reopen(sandbox, line)));
    }

    private void reopen(LiveSandbox sandbox, AgentLine broken) {
        for (int attempt = 1; isLive(sandbox, broken); attempt++) {
            awaitMotion(sandbox);
            try {
                AgentLine line = open(sandbox.id().value(), sandbox.machine());
                sandbox.talkOver(line);
                LOG.warnf("The line to the agent of sandbox %s was opened anew", sandbox.id());
                keep(sandbox);
                return;
            } catch (IOException | RuntimeException e) {
                LOG.warnf(e, "The agent of sandbox %s does not answer", sandbox.id());
                if (attempt == TRIES) {
                    sandboxes.lostMachine(
                            sandbox.id(),
                            sandbox.machine().id().value(),
                            EndReason.FAILED,
                            "its agent does not answer");
                    return;
                }
            }
        }
    }

    /** A machine that stands still to be paused cannot answer, and is no worse for it. */
    private static void awaitMotion(LiveSandbox sandbox) {
        while (sandbox.isHeld() && !sandbox.hasLeft()) {
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    private boolean isLive(LiveSandbox sandbox, AgentLine line) {
        return live.find(sandbox.id()).filter(found -> found == sandbox).isPresent()
                && sandbox.line() == line;
    }
}
