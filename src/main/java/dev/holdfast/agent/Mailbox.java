package dev.holdfast.agent;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Hands events to a consumer one at a time and in order, on an executor, so that no consumer can
 * hold up the thread that reads. What waits is bounded: bytes by the credit, their pieces by
 * joining them once there are many.
 */
final class Mailbox {

    interface Receiver {
        void received(int sub, ByteBuffer bytes);
    }

    private static final int MANY = 256;

    private final Executor executor;
    private final Consumer<Throwable> broken;
    private final Deque<Runnable> letters = new ArrayDeque<>();
    private boolean running;

    Mailbox(Executor executor, Consumer<Throwable> broken) {
        this.executor = executor;
        this.broken = broken;
    }

    void post(Runnable letter) {
        synchronized (letters) {
            letters.add(letter);
            if (running) {
                return;
            }
            running = true;
        }
        executor.execute(this::run);
    }

    void post(int sub, ByteBuffer bytes, Receiver receiver) {
        synchronized (letters) {
            if (letters.size() >= MANY) {
                // Many small pieces in turn: from here on each sub-channel's are joined, their
                // order among each other is lost.
                join(sub, bytes, receiver);
                return;
            }
        }
        post(new Piece(sub, bytes, receiver));
    }

    /** To the last pile of the sub-channel, unless one of its pieces came after that. */
    private void join(int sub, ByteBuffer bytes, Receiver receiver) {
        for (var last = letters.descendingIterator(); last.hasNext(); ) {
            var letter = last.next();
            if (letter instanceof Pile pile && pile.sub == sub) {
                pile.add(bytes);
                return;
            }
            if (letter instanceof Piece piece && piece.sub == sub) {
                break;
            }
        }
        var pile = new Pile(sub, receiver);
        pile.add(bytes);
        post(pile);
    }

    private void run() {
        while (true) {
            Runnable letter;
            synchronized (letters) {
                letter = letters.poll();
                if (letter == null) {
                    running = false;
                    return;
                }
            }
            try {
                letter.run();
            } catch (Throwable problem) {
                broken.accept(problem);
            }
        }
    }

    private record Piece(int sub, ByteBuffer bytes, Receiver receiver) implements Runnable {
        @Override
        public void run() {
            receiver.received(sub, bytes);
        }
    }

    /**
     * Small pieces of one sub-channel, joined. Out of the queue before it is run, so nothing is
     * added any more then.
     */
    private static final class Pile implements Runnable {
        private final int sub;
        private final Receiver receiver;
        private final ByteArrayOutputStream joined = new ByteArrayOutputStream();

        Pile(int sub, Receiver receiver) {
            this.sub = sub;
            this.receiver = receiver;
        }

        void add(ByteBuffer bytes) {
            var copy = new byte[bytes.remaining()];
            bytes.get(copy);
            joined.writeBytes(copy);
        }

        @Override
        public void run() {
            receiver.received(sub, ByteBuffer.wrap(joined.toByteArray()).asReadOnlyBuffer());
        }
    }
}
