package dev.holdfast.agent;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The real agent, connected, for the tests of the rooms that speak to it. */
public final class RealAgent implements AutoCloseable {

    static final Patience PATIENCE = Patience.of(Duration.ofMinutes(1));

    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final Fifos fifos;
    private final AgentProcess process;
    private final AgentChannel channel;

    private RealAgent() throws Exception {
        fifos = Fifos.make();
        process = AgentProcess.start(fifos);
        channel = open(fifos, executor);
        channel.connect(Duration.ofSeconds(30)).toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    public static RealAgent start() throws Exception {
        return new RealAgent();
    }

    /** A channel as a server opens it, whatever is behind the FIFOs. */
    static AgentChannel open(Fifos fifos, ExecutorService executor) throws IOException {
        return AgentChannel.open(fifos.in(), fifos.out(), "test", room(), executor, PATIENCE);
    }

    /** As large as that of a server with a heap of 1 GiB. */
    static Room room() {
        return new Room(256L * 1024 * 1024);
    }

    public AgentChannel channel() {
        return channel;
    }

    /** What the agent keeps in memory, in bytes. */
    public long residentBytes() {
        return process.residentBytes();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        try {
            process.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        fifos.close();
        executor.shutdownNow();
    }
}
