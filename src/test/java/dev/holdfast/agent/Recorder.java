package dev.holdfast.agent;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Keeps what a process says. Gives credit back at once, or only when told to. */
final class Recorder implements ProcessEvents {

    private final Map<OutputChannel, ByteArrayOutputStream> outputs =
            new EnumMap<>(OutputChannel.class);
    private final CompletableFuture<Long> started = new CompletableFuture<>();
    private final CompletableFuture<ProcessEnd> ended = new CompletableFuture<>();
    private final CompletableFuture<ProcessStream> stream = new CompletableFuture<>();
    private final boolean greedy;
    private Consumer<ByteBuffer> sink;
    private long received;
    private int held;

    Recorder() {
        this(true);
    }

    Recorder(boolean greedy) {
        this.greedy = greedy;
    }

    /** Instead of keeping the bytes. */
    Recorder into(Consumer<ByteBuffer> consumer) {
        this.sink = consumer;
        return this;
    }

    Recorder of(ProcessStream followed) {
        stream.complete(followed);
        return this;
    }

    @Override
    public void onStarted(long pid) {
        started.complete(pid);
    }

    @Override
    public void onOutput(OutputChannel channel, ByteBuffer bytes) {
        var length = bytes.remaining();
        synchronized (this) {
            received += length;
            if (sink != null) {
                sink.accept(bytes);
            } else {
                var copy = new byte[length];
                bytes.get(copy);
                outputs.computeIfAbsent(channel, c -> new ByteArrayOutputStream()).writeBytes(copy);
            }
            notifyAll();
            if (!greedy) {
                held += length;
                return;
            }
        }
        stream.join().consumed(length);
    }

    @Override
    public void onEnd(ProcessEnd end) {
        ended.complete(end);
    }

    @Override
    public void onError(AgentException failure) {
        started.completeExceptionally(failure);
        ended.completeExceptionally(failure);
    }

    ProcessStream stream() {
        return stream.join();
    }

    void giveBack() {
        int back;
        synchronized (this) {
            back = held;
            held = 0;
        }
        stream.join().consumed(back);
    }

    long pid() throws Exception {
        return started.get(10, TimeUnit.SECONDS);
    }

    ProcessEnd end() throws Exception {
        return ended.get(60, TimeUnit.SECONDS);
    }

    boolean isOver() {
        return ended.isDone();
    }

    synchronized long received() {
        return received;
    }

    synchronized String text(OutputChannel channel) {
        var bytes = outputs.get(channel);
        return bytes == null ? "" : bytes.toString(StandardCharsets.UTF_8);
    }

    String stdout() {
        return text(OutputChannel.STDOUT);
    }

    /** Waits until so many bytes came. */
    synchronized void await(long bytes, Duration patience) throws InterruptedException {
        var until = System.nanoTime() + patience.toNanos();
        while (received < bytes && System.nanoTime() < until) {
            wait(Math.max(1, (until - System.nanoTime()) / 1_000_000));
        }
        if (received < bytes) {
            throw new AssertionError("only " + received + " of " + bytes + " bytes came");
        }
    }
}
