package dev.holdfast.agent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * What is to be sent, and the thread that sends it: control frames first, then one data frame of
 * each stream in turn. Between QUIESCE and RESUME it writes nothing. All but {@link #run} is called
 * under the channel's lock.
 */
final class Outbox {

    private record Control(Frame.Kind kind, int flags, int stream, ByteBuffer payload) {}

    private static final int BATCH = 64 * 1024;
    private static final int MOST_CONTROL = 1 << 20;

    /** Of requests; what else is control has a few bytes. */
    private static final int MOST_REQUESTS = 16 * 1024 * 1024;

    private final ReentrantLock lock;
    private final Condition more;
    private final FileChannel send;
    private final Consumer<AgentException> failed;
    private final Deque<Control> control = new ArrayDeque<>();
    private final Deque<AgentStream> ready = new ArrayDeque<>();
    private final ByteBuffer batch = ByteBuffer.allocateDirect(BATCH + 3 * Frame.FILLER);
    private boolean closed;
    private boolean quiet;
    private int sequence;
    private int requests;
    private volatile long writingSince;

    Outbox(ReentrantLock lock, FileChannel send, Consumer<AgentException> failed) {
        this.lock = lock;
        this.more = lock.newCondition();
        this.send = send;
        this.failed = failed;
    }

    void hello(String text) {
        control(Frame.Kind.HELLO, 0, 0, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether a request of so many bytes may wait behind those that do. */
    boolean isRoomFor(int bytes) {
        return requests + bytes <= MOST_REQUESTS;
    }

    void request(int stream, byte[] text) {
        requests += closed ? 0 : text.length;
        for (var at = 0; at < text.length; at += Frame.MAX_PAYLOAD) {
            var length = Math.min(Frame.MAX_PAYLOAD, text.length - at);
            var flags = at + length < text.length ? Frame.MORE : 0;
            control(Frame.Kind.REQUEST, flags, stream, ByteBuffer.wrap(text, at, length));
        }
    }

    void control(Frame.Kind kind, int flags, int stream, ByteBuffer payload) {
        if (closed) {
            return;
        }
        if (control.size() >= MOST_CONTROL) {
            throw new AgentException(
                    ErrorCode.RESOURCE_EXHAUSTED, "too much is waiting to be sent");
        }
        control.add(new Control(kind, flags, stream, payload));
        more.signal();
    }

    void ready(AgentStream stream) {
        if (!stream.ready && stream.canSend() && !closed) {
            stream.ready = true;
            ready.add(stream);
            more.signal();
        }
    }

    void quiesce() {
        control(Frame.Kind.QUIESCE, 0, 0, ByteBuffer.allocate(0));
    }

    /**
     * Goes before everything that waited, because the agent takes nothing else while it is quiet.
     * False when the agent was not asked to be quiet yet.
     */
    boolean resume() {
        var notYetSent = control.removeIf(waiting -> waiting.kind() == Frame.Kind.QUIESCE);
        if (!notYetSent) {
            control.addFirst(new Control(Frame.Kind.RESUME, 0, 0, ByteBuffer.allocate(0)));
        }
        quiet = false;
        more.signal();
        return !notYetSent;
    }

    void close() {
        closed = true;
        control.clear();
        ready.clear();
        more.signal();
    }

    /** How long the present write has been waiting for the agent to read. */
    Duration stuckFor() {
        var since = writingSince;
        return since == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
    }

    void run() {
        try {
            while (fill()) {
                batch.flip();
                writingSince = System.nanoTime() | 1;
                while (batch.hasRemaining()) {
                    send.write(batch);
                }
                writingSince = 0;
                batch.clear();
            }
        } catch (IOException e) {
            failed.accept(AgentException.unavailable("the channel cannot be written"));
        } catch (Throwable e) {
            AgentChannel.LOG.log(System.Logger.Level.ERROR, "the writer of a channel failed", e);
            failed.accept(new AgentException(ErrorCode.INTERNAL, "the writer failed"));
        }
    }

    /**
     * Waits for something to send and puts it into the batch; false when there will be nothing any
     * more.
     */
    private boolean fill() {
        lock.lock();
        try {
            while (!closed && (quiet || control.isEmpty() && ready.isEmpty())) {
                more.awaitUninterruptibly();
            }
            while (!closed && !quiet && batch.position() < BATCH && !control.isEmpty()) {
                put(control.remove());
            }
            while (!closed && !quiet && batch.position() < BATCH && !ready.isEmpty()) {
                var stream = ready.remove();
                stream.ready = false;
                if (stream.canSend()) {
                    stream.sendInto(batch, sequence++);
                    ready(stream);
                }
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void put(Control next) {
        if (next.kind() == Frame.Kind.HELLO) {
            batch.put(new byte[Frame.FILLER]);
        }
        var size = next.payload().remaining();
        Frame.put(
                batch,
                next.kind(),
                next.flags(),
                next.stream(),
                sequence++,
                Frame.NO_CHANNEL,
                next.payload());
        requests -= next.kind() == Frame.Kind.REQUEST ? size : 0;
        quiet = next.kind() == Frame.Kind.QUIESCE;
    }
}
