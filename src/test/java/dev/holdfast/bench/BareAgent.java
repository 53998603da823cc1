package dev.holdfast.bench;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.AgentChannel;
import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.FileBody;
import dev.holdfast.agent.OutputChannel;
import dev.holdfast.agent.Patience;
import dev.holdfast.agent.ProcessEnd;
import dev.holdfast.agent.ProcessEvents;
import dev.holdfast.agent.ProcessStart;
import dev.holdfast.agent.Room;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The agent of the bare machine, spoken to over its channel with nothing in between. */
final class BareAgent implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Optional<String> USER = Optional.of("user");
    private static final int PIECE = 256 * 1024;
    private static final long HELD = 256L * 1024 * 1024;

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final AgentChannel channel;
    private final Agent agent;

    private BareAgent(Path in, Path out) throws IOException {
        channel =
                AgentChannel.open(
                        in, out, "bench", new Room(HELD), executor, Patience.of(PATIENCE));
        agent = new Agent(channel);
    }

    static BareAgent over(Path in, Path out) throws Exception {
        var bare = new BareAgent(in, out);
        try {
            bare.channel
                    .connect(PATIENCE)
                    .toCompletableFuture()
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            return bare;
        } catch (Exception e) {
            bare.close();
            throw e;
        }
    }

    /** Nanoseconds of a command as an SDK gives it, from the request to its end. */
    long command() throws Exception {
        var over = new CompletableFuture<ProcessEnd>();
        long begin = System.nanoTime();
        agent.start(ProcessStart.of("/bin/bash", "-l", "-c", "true").as("user"), new Ending(over));
        over.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        return System.nanoTime() - begin;
    }

    /** Nanoseconds of writing a file of so many bytes. */
    long write(String path, int bytes) throws Exception {
        var piece = ByteBuffer.allocate(PIECE);
        long begin = System.nanoTime();
        var upload = agent.write(path, USER);
        for (int left = bytes; left > 0; left -= piece.limit()) {
            piece.clear().limit(Math.min(PIECE, left));
            upload.send(piece).toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        upload.finish().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        return System.nanoTime() - begin;
    }

    /** Nanoseconds of reading a file of so many bytes. */
    long read(String path, int bytes) throws Exception {
        long begin = System.nanoTime();
        FileBody body = agent.read(path, USER);
        long read = 0;
        for (; ; ) {
            var piece =
                    body.next().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (piece.isEmpty()) {
                break;
            }
            read += piece.get().remaining();
        }
        long elapsed = System.nanoTime() - begin;
        if (read != bytes) {
            throw new IOException("read " + read + " bytes of " + bytes);
        }
        return elapsed;
    }

    @Override
    public void close() {
        channel.close();
        executor.shutdownNow();
    }

    private record Ending(CompletableFuture<ProcessEnd> over) implements ProcessEvents {
        @Override
        public void onStarted(long pid) {
            // Only its end is timed.
        }

        @Override
        public void onOutput(OutputChannel where, ByteBuffer bytes) {
            over.completeExceptionally(new IOException("no output was expected"));
        }

        @Override
        public void onEnd(ProcessEnd end) {
            over.complete(end);
        }

        @Override
        public void onError(AgentException failure) {
            over.completeExceptionally(failure);
        }
    }
}
