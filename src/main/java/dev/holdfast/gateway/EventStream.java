package dev.holdfast.gateway;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.Protocols;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jboss.logging.Logger;
import org.jboss.resteasy.spi.AsyncOutputStream;
import org.jboss.resteasy.spi.AsyncStreamingOutput;

/**
 * An answer that grows: bytes are offered from any thread, leave in order, and each batch is
 * flushed. No thread waits for the client; what has left is reported, so that the source can be
 * given credit for exactly that much.
 *
 * <p>One write is under way at a time. The lock guards the queue only; neither writing nor a
 * callback happens under it.
 */
public final class EventStream implements AsyncStreamingOutput {

    private static final Logger LOG = Logger.getLogger(EventStream.class);

    /** Of one stream; all of them together have the {@link WaitingRoom}. */
    private static final int MOST_PENDING = 16 * 1024 * 1024;

    /** How long a client may take to read the end of a stream whose sandbox is no more. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    /** How often a flush is repeated over HTTP/2, each time after four times as long. */
    private static final int FLUSHES = 5;

    private static final Duration FIRST_FLUSH = Duration.ofMillis(2);

    private final HttpServerExchange exchange;
    private final IntConsumer left;
    private final Runnable lost;
    private final byte[] dismissal;
    private final WaitingRoom room;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final Backlog backlog;
    private AsyncOutputStream output;
    private volatile long written;
    private boolean writing;
    private boolean ending;
    private boolean dismissed;
    private boolean over;

    /**
     * One that is reset when its client does not read.
     *
     * @param left is told the cost of what has left, in order
     * @param lost is told, at most once, that the client is gone or was cut off
     */
    public EventStream(HttpServerExchange exchange, IntConsumer left, Runnable lost) {
        this(exchange, left, lost, new byte[0]);
    }

    /**
     * @param dismissal the last bytes for a client that let too much wait: they say so, in the form
     *     of what it reads
     */
    public EventStream(
            HttpServerExchange exchange, IntConsumer left, Runnable lost, byte[] dismissal) {
        this.exchange = exchange;
        this.left = left;
        this.lost = lost;
        this.dismissal = dismissal;
        this.room = WaitingRoom.of(exchange);
        this.backlog = new Backlog(this, room);
        watch();
    }

    /** What waits for a client that has gone, or that never came for it, waits no more. */
    private void watch() {
        try {
            exchange.addExchangeCompleteListener(
                    (done, next) -> {
                        try {
                            reset();
                        } finally {
                            next.proceed();
                        }
                    });
        } catch (IllegalStateException complete) {
            exchange.getIoThread().execute(this::reset);
        }
    }

    @Override
    public CompletionStage<Void> asyncWrite(AsyncOutputStream to) {
        synchronized (this) {
            output = to;
        }
        pump();
        return done;
    }

    /** Queues bytes; what they cost the source is reported when they have left. */
    public void send(byte[] bytes, int cost) {
        boolean overflow;
        synchronized (this) {
            if (ending || over) {
                return;
            }
            overflow = backlog.bytes() > MOST_PENDING;
            backlog.add(bytes, cost);
        }
        room.makeRoom();
        if (overflow) {
            dismiss();
        } else {
            pump();
        }
    }

    /** Completes when all has left, or nothing leaves any more. */
    public CompletionStage<Void> over() {
        return done.copy();
    }

    /** How much waits here, in memory; nothing once it was dismissed. */
    synchronized long waiting() {
        return dismissed || over ? 0 : backlog.weight();
    }

    /** Its client lets too much wait: all of that is dropped, and the client told so. */
    void dismiss() {
        boolean told;
        synchronized (this) {
            if (dismissed || over) {
                return;
            }
            told = dismissal.length > 0 && !backlog.isLargeUnderWay();
            dismissed = told;
            ending = true;
            backlog.drop();
            if (told) {
                backlog.add(dismissal, 0);
            }
        }
        LOG.debug("a stream was ended: its client lets too much wait");
        if (!told) {
            reset();
            return;
        }
        lost.run();
        pump();
        resetLater();
    }

    /** Sends a sign of life; a client that has not even begun to take the answer has left. */
    public void beat(byte[] bytes) {
        boolean begun;
        synchronized (this) {
            begun = output != null;
        }
        if (begun) {
            send(bytes, 0);
        } else {
            reset();
        }
    }

    /** Queues the last bytes and ends the answer after them; later calls do nothing. */
    public void finish(byte[] last) {
        synchronized (this) {
            if (ending || over) {
                return;
            }
            backlog.add(last, 0);
            ending = true;
        }
        room.makeRoom();
        pump();
    }

    /**
     * Ends like {@link #finish}, and resets the connection if the client does not read that far.
     */
    public void farewell(byte[] last) {
        finish(last);
        resetLater();
    }

    private void resetLater() {
        exchange.getIoThread()
                .executeAfter(this::reset, FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends without an end: the client sees a broken connection. Does nothing once all has left. */
    public void reset() {
        boolean told;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            told = dismissed;
            backlog.clear();
        }
        Resets.reset(exchange);
        done.complete(null);
        if (!told) {
            lost.run();
        }
    }

    private void pump() {
        while (true) {
            Backlog.Batch batch;
            AsyncOutputStream to;
            synchronized (this) {
                if (output == null || writing || over) {
                    return;
                }
                if (backlog.isEmpty() && !ending) {
                    return;
                }
                to = output;
                batch = backlog.next();
                over = batch.bytes().length == 0;
                writing = !over;
                if (over) {
                    backlog.clear();
                }
            }
            if (batch.bytes().length == 0) {
                done.complete(null);
                return;
            }
            if (!write(to, batch.bytes(), batch.cost())) {
                return;
            }
        }
    }

    /** Whether the batch has left already, so that the caller goes on rather than the callback. */
    private boolean write(AsyncOutputStream to, byte[] batch, int cost) {
        CompletableFuture<Void> sent;
        try {
            sent = to.asyncWrite(batch).thenCompose(v -> to.asyncFlush()).toCompletableFuture();
        } catch (RuntimeException e) {
            sent = CompletableFuture.failedFuture(e);
        }
        if (sent.isDone() && !sent.isCompletedExceptionally()) {
            settle(cost);
            flushAgain(FLUSHES);
            return true;
        }
        sent.whenComplete(
                (v, failure) -> {
                    if (failure == null) {
                        settle(cost);
                        flushAgain(FLUSHES);
                        pump();
                    } else {
                        LOG.debug("the client of a stream is gone", failure);
                        reset();
                    }
                });
        return false;
    }

    /**
     * Over HTTP/2 what is written while a former frame is under way stays behind it, and the flush
     * that found it there is forgotten. So it is repeated while nothing else is written.
     */
    private void flushAgain(int left) {
        if (left == 0 || !exchange.getProtocol().equals(Protocols.HTTP_2_0)) {
            return;
        }
        long seen = written;
        exchange.getIoThread()
                .executeAfter(
                        () -> flushAgain(left, seen),
                        FIRST_FLUSH.multipliedBy(1L << 2 * (FLUSHES - left)).toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private void flushAgain(int left, long seen) {
        AsyncOutputStream to;
        synchronized (this) {
            if (writing || over || ending || written != seen) {
                return;
            }
            writing = true;
            to = output;
        }
        to.asyncFlush()
                .whenComplete(
                        (v, failure) -> {
                            if (failure != null) {
                                reset();
                                return;
                            }
                            synchronized (this) {
                                writing = false;
                            }
                            flushAgain(left - 1);
                            pump();
                        });
    }

    private void settle(int cost) {
        synchronized (this) {
            written++;
            writing = false;
            backlog.left();
        }
        if (cost > 0) {
            left.accept(cost);
        }
    }
}
