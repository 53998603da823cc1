package dev.holdfast.event;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Work that is asked for often and never done twice at once: whoever asks while it is under way has
 * it done once more after that.
 */
public final class Errand {

    private final Runnable work;

    /** Askings that it has not begun for. */
    private final AtomicInteger asked = new AtomicInteger();

    public Errand(Runnable work) {
        this.work = work;
    }

    /**
     * @return false if there is no thread for it now; whoever asks next is another try
     */
    public boolean ask(Executor executor) {
        if (asked.getAndIncrement() == 0) {
            try {
                executor.execute(this::doWhileAsked);
            } catch (RejectedExecutionException full) {
                asked.set(0);
                return false;
            }
        }
        return true;
    }

    /**
     * In the caller's thread if nobody is at it. From any thread, also out of the work itself: what
     * could let it go on comes through here, so nothing calls itself without bound when that is
     * there at once.
     */
    public void run() {
        if (asked.getAndIncrement() == 0) {
            doWhileAsked();
        }
    }

    private void doWhileAsked() {
        try {
            int seen;
            do {
                seen = asked.get();
                work.run();
            } while (asked.addAndGet(-seen) != 0);
        } catch (RuntimeException e) {
            asked.set(0); // whoever asks next is not to wait for it
            throw e;
        }
    }
}
