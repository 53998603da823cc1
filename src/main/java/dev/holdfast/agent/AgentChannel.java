package dev.holdfast.agent;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The host's end of one sandbox's channel. Opened once, connected once, closed once; after a
 * failure or a restart another one is opened on the same FIFOs and connects with an incarnation of
 * its own. All methods may be called from any thread, none blocks for the sandbox.
 */
public final class AgentChannel implements AutoCloseable {

    static final Logger LOG = System.getLogger(AgentChannel.class.getName());

    /** Protocol versions this side speaks. */
    public static final int VERSION = 1;

    private static final int MOST_STREAMS = 1000;
    private static final long MOST_BEFORE_HELLO = 64L * 1024 * 1024;
    private static final int STACK = 256 * 1024;

    /** Of what is held of all sandboxes one may have so much at least, and a share of it. */
    private static final long LEAST_HELD = 64L * 1024 * 1024;

    private static final int SHARES = 4;

    /** What others leave it in any case: some operations at the pace of their readers. */
    private static final long OWN = 512 * 1024;

    /** How long a reader of a channel that is over may hold what it has not read. */
    private static final Duration FAREWELL = Duration.ofMinutes(5);

    private final ReentrantLock lock = new ReentrantLock();
    private final Executor executor;
    private final Patience patience;
    private final Room room;
    private final FileChannel receive;
    private final FileChannel send;
    private final Outbox outbox;
    private final Streams streams = new Streams();
    private final Handshake handshake = new Handshake();
    private final CompletableFuture<AgentException> ended = new CompletableFuture<>();
    private CompletableFuture<Quiet> quiescing;
    private int unanswered;

    /** Since when the channel is quiet, if it is, and for how long it was before. */
    private long quietSince;

    private long quietBefore;
    private boolean open = true;

    private AgentChannel(
            FileChannel receive,
            FileChannel send,
            String name,
            Patience patience,
            Room held,
            Executor executor) {
        this.receive = receive;
        this.send = send;
        this.room =
                held.within(Math.min(held.most(), Math.max(LEAST_HELD, held.most() / SHARES)), OWN);
        this.patience = patience;
        this.executor = new PatientExecutor(executor);
        this.outbox = new Outbox(lock, send, this::end);
        thread("agent-read-" + name, this::read).start();
        thread("agent-write-" + name, outbox::run).start();
        watch(patience.taking());
    }

    /**
     * Opens the FIFOs `in` (to the agent) and `out` (from it) for reading and writing, so that
     * opening never waits and closing never tells the agent an end of file. Events are told on the
     * executor.
     *
     * @param held where it is held what the agents of all sandboxes said
     */
    public static AgentChannel open(
            Path in, Path out, String name, Room held, Executor executor, Patience patience)
            throws IOException {
        var receive = FileChannel.open(out, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            var send = FileChannel.open(in, StandardOpenOption.READ, StandardOpenOption.WRITE);
            return new AgentChannel(receive, send, name, patience, held, executor);
        } catch (IOException | RuntimeException e) {
            receive.close();
            throw e;
        }
    }

    /**
     * Says hello; whatever the agent did for a former incarnation of this side is detached. Only
     * once per channel.
     */
    public CompletionStage<Hello> connect(Duration patience) {
        lock.lock();
        try {
            var answer = handshake.begin();
            if (open) {
                outbox.hello(handshake.hello());
            } else {
                answer.completeExceptionally(AgentException.unavailable("the channel is closed"));
            }
            return within(answer, patience, "the agent did not say hello");
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes both directions silent at the border of a frame. From now on nothing is written until
     * {@link #resume}, which must be called also after a failure of this.
     */
    public CompletionStage<Quiet> quiesce(Duration patience) {
        lock.lock();
        try {
            if (!connected()) {
                return CompletableFuture.failedFuture(
                        AgentException.unavailable("the channel is not connected"));
            }
            if (quiescing != null) {
                return CompletableFuture.failedFuture(
                        new AgentException(
                                ErrorCode.FAILED_PRECONDITION, "the channel is quiet already"));
            }
            quiescing = new CompletableFuture<>();
            quietSince = System.nanoTime();
            unanswered++;
            outbox.quiesce();
            return within(quiescing, patience, "the agent did not become quiet");
        } finally {
            lock.unlock();
        }
    }

    /** Both sides go on exactly where they were. */
    public void resume() {
        lock.lock();
        try {
            if (quiescing != null) {
                quiescing.completeExceptionally(AgentException.unavailable("resumed"));
                quiescing = null;
                quietBefore += System.nanoTime() - quietSince;
                if (!outbox.resume()) {
                    unanswered--;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    public boolean connected() {
        lock.lock();
        try {
            return open && handshake.done();
        } finally {
            lock.unlock();
        }
    }

    /** Completes with the reason when this channel is over, closed or failed. */
    public CompletionStage<AgentException> ended() {
        return ended.copy();
    }

    /**
     * Ends every operation as unavailable and both threads; the agent and its processes are not
     * touched.
     */
    @Override
    public void close() {
        end(AgentException.unavailable("the channel was closed"));
    }

    // For the streams

    /**
     * @param bound how much the agent may say to it
     */
    AgentStream begin(JsonObject request, Bound bound, AgentStream.Listener listener) {
        var text = request.toString().getBytes(StandardCharsets.UTF_8);
        lock.lock();
        try {
            var stream = new AgentStream(this, streams.nextNumber(), bound, listener);
            if (!connected()) {
                stream.fail(AgentException.unavailable("the channel is not connected"));
            } else if (streams.size() >= MOST_STREAMS || !outbox.isRoomFor(text.length)) {
                stream.fail(
                        new AgentException(
                                ErrorCode.RESOURCE_EXHAUSTED, "too many operations at once"));
            } else if (text.length > Frame.MAX_JSON) {
                stream.fail(
                        new AgentException(ErrorCode.INVALID_ARGUMENT, "the request is too large"));
            } else {
                streams.add(stream);
                outbox.request(stream.number, text);
            }
            return stream;
        } finally {
            lock.unlock();
        }
    }

    void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    void sendCredit(int stream, int bytes) {
        outbox.control(Frame.Kind.CREDIT, 0, stream, ByteBuffer.allocate(4).putInt(0, bytes));
    }

    void sendCancel(int stream) {
        outbox.control(Frame.Kind.CANCEL, 0, stream, ByteBuffer.allocate(0));
    }

    void ready(AgentStream stream) {
        outbox.ready(stream);
    }

    void forget(AgentStream stream) {
        streams.remove(stream);
    }

    Executor executor() {
        return executor;
    }

    /** How long an answer is waited for. */
    Duration patience() {
        return patience.answering();
    }

    /** A clock, in nanoseconds, that stands still while the channel is quiet, as the agent does. */
    long agentTime() {
        lock.lock();
        try {
            return (quiescing == null ? System.nanoTime() : quietSince) - quietBefore;
        } finally {
            lock.unlock();
        }
    }

    /** Where everything of this sandbox is held. */
    Room room() {
        return room;
    }

    // The reading thread

    private void read() {
        var frames = new FrameReader();
        try {
            long before = 0;
            while (true) {
                before += frames.readFrom(receive);
                for (var frame = frames.next(); frame != null; frame = frames.next()) {
                    received(frame);
                }
                if (connected() && frames.skipped() > handshake.skipped(frames.skipped())) {
                    throw AgentException.reset("bytes that are no frame");
                }
                if (!connected() && before > MOST_BEFORE_HELLO) {
                    throw AgentException.reset("the agent sends and does not say hello");
                }
            }
        } catch (AgentException e) {
            end(e);
        } catch (IOException e) {
            end(AgentException.unavailable("the channel cannot be read"));
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "the reader of a channel failed", e);
            end(new AgentException(ErrorCode.INTERNAL, "the reader failed"));
        }
    }

    private void received(Frame frame) {
        lock.lock();
        try {
            if (!open || !handshake.admits(frame, executor)) {
                return;
            }
            switch (frame.kind()) {
                case HELLO_ACK, PONG -> {}
                case QUIESCED -> quiesced(frame);
                default -> {
                    if (frame.stream() == 0) {
                        throw AgentException.reset("the agent gave the channel up");
                    }
                    var stream = streams.get(frame.stream());
                    if (stream != null) {
                        stream.receive(frame);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * An answer that comes after its question was given up must not be taken for that of the next
     * one.
     */
    private void quiesced(Frame frame) {
        unanswered = Math.max(0, unanswered - 1);
        if (unanswered == 0 && quiescing != null) {
            quiescing.completeAsync(() -> new Quiet(frame.sequence() & 0xFFFFFFFFL), executor);
        }
    }

    // Ending

    private void end(AgentException reason) {
        List<AgentStream> left;
        CompletableFuture<Quiet> quiet;
        lock.lock();
        try {
            if (!open) {
                return;
            }
            open = false;
            left = streams.all();
            left.forEach(
                    stream ->
                            stream.fail(
                                    reason.code() == ErrorCode.UNAVAILABLE
                                            ? reason
                                            : AgentException.unavailable(
                                                    "the channel failed: " + reason.getMessage())));
            quiet = quiescing;
            outbox.close();
        } finally {
            lock.unlock();
        }
        closeQuietly(receive);
        closeQuietly(send);
        handshake.fail(reason);
        if (quiet != null) {
            quiet.completeExceptionally(reason);
        }
        ended.complete(reason);
        // A reader that forgets what it has does not keep the room for ever.
        CompletableFuture.delayedExecutor(FAREWELL.toSeconds(), TimeUnit.SECONDS, Runnable::run)
                .execute(room::close);
    }

    /**
     * Looks now and then whether the agent takes what is written; holds no thread while it waits.
     */
    private void watch(Duration deadline) {
        var pause = Math.max(1, deadline.toMillis() / 4);
        CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS, Runnable::run)
                .execute(
                        () -> {
                            if (ended.isDone()) {
                                return;
                            }
                            if (outbox.stuckFor().compareTo(deadline) > 0) {
                                CompletableFuture.runAsync(
                                        () ->
                                                end(
                                                        AgentException.unavailable(
                                                                "the agent takes nothing")),
                                        executor);
                                return;
                            }
                            watch(deadline);
                        });
    }

    private <T> CompletionStage<T> within(
            CompletableFuture<T> answer, Duration patience, String otherwise) {
        CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS, executor)
                .execute(
                        () ->
                                answer.completeExceptionally(
                                        new AgentException(ErrorCode.DEADLINE, otherwise)));
        return answer.copy();
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing a FIFO", e);
        }
    }

    private static Thread thread(String name, Runnable body) {
        var thread = new Thread(null, body, name, STACK);
        thread.setDaemon(true);
        return thread;
    }
}
