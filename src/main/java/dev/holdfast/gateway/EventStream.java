package dev.holdfast.gateway;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.Protocols;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
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

    /**
     * The source keeps within its credit; one that does not is cut off before it fills the memory.
     */
    private static final int MOST_PENDING = 16 * 1024 * 1024;

    private static final int BATCH = 64 * 1024;

    /** How long a client may take to read the end of a stream whose sandbox is no more. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    /** How often a flush is repeated over HTTP/2, each time after four times as long. */
    private static final int FLUSHES = 5;

    private static final Duration FIRST_FLUSH = Duration.ofMillis(2);

    private record Piece(byte[] bytes, int cost) {}

    private final HttpServerExchange exchange;
    private final IntConsumer left;
    private final Runnable lost;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final Deque<Piece> pending = new ArrayDeque<>();
    private AsyncOutputStream output;
    private long pendingBytes;
    private volatile long written;
    private boolean writing;
    private boolean ending;
    private boolean over;

    /**
     * @param left is told the cost of what has left, in order
     * @param lost is told, at most once, that the client is gone or was cut off
     */
    public EventStream(HttpServerExchange exchange, IntConsumer left, Runnable lost) {
        this.exchange = exchange;
        this.left = left;
        this.lost = lost;
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
            pending.add(new Piece(bytes, cost));
            pendingBytes += bytes.length;
            overflow = pendingBytes > MOST_PENDING;
        }
        if (overflow) {
            LOG.warnf("a stream was cut: its source sent more than it had credit for");
            reset();
        } else {
            pump();
        }
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
            pending.add(new Piece(last, 0));
            pendingBytes += last.length;
            ending = true;
        }
        pump();
    }

    /**
     * Ends like {@link #finish}, and resets the connection if the client does not read that far.
     */
    public void farewell(byte[] last) {
        finish(last);
        exchange.getIoThread()
                .executeAfter(this::reset, FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends without an end: the client sees a broken connection. Does nothing once all has left. */
    public void reset() {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            pending.clear();
        }
        Resets.reset(exchange);
        done.complete(null);
        lost.run();
    }

    private void pump() {
        while (true) {
            byte[] batch;
            int cost = 0;
            AsyncOutputStream to;
            synchronized (this) {
                if (output == null || writing || over) {
                    return;
                }
                if (pending.isEmpty() && !ending) {
                    return;
                }
                to = output;
                ByteArrayOutputStream joined = new ByteArrayOutputStream();
                while (!pending.isEmpty() && joined.size() < BATCH) {
                    Piece piece = pending.poll();
                    joined.writeBytes(piece.bytes);
                    pendingBytes -= piece.bytes.length;
                    cost += piece.cost;
                }
                batch = joined.toByteArray();
                over = batch.length == 0;
                writing = !over;
            }
            if (batch.length == 0) {
                done.complete(null);
                return;
            }
            if (!write(to, batch, cost)) {
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
        }
        if (cost > 0) {
            left.accept(cost);
        }
    }
}
