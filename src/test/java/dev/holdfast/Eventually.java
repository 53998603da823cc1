package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** Looks again until what is seen is as wanted. */
public final class Eventually {

    /** As long as a busy machine may take for what takes a moment. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration PAUSE = Duration.ofMillis(50);

    private Eventually() {}

    /** Waits until it is so. */
    public static void await(String what, Callable<Boolean> look) throws Exception {
        await(what, PATIENCE, look);
    }

    /** The same with a patience of its own. */
    public static void await(String what, Duration patience, Callable<Boolean> look)
            throws Exception {
        await(what, patience, look, Boolean::booleanValue);
    }

    /** Waits until what is seen is as wanted, and gives that. */
    public static <T> T await(String what, Callable<T> look, Predicate<T> wanted) throws Exception {
        return await(what, PATIENCE, look, wanted);
    }

    /**
     * The same with a patience of its own. A look that fails has seen nothing yet: the last one is
     * the message, and its failure the cause.
     */
    public static <T> T await(String what, Duration patience, Callable<T> look, Predicate<T> wanted)
            throws Exception {
        long begin = System.nanoTime();
        while (true) {
            String seen;
            Throwable failure = null;
            try {
                T value = look.call();
                if (wanted.test(value)) {
                    return value;
                }
                seen = String.valueOf(value);
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception | AssertionError e) {
                failure = e;
                seen = e.toString();
            }
            if (System.nanoTime() - begin > patience.toNanos()) {
                throw new AssertionError(
                        what + ": not within " + patience + "; last seen: " + seen, failure);
            }
            Thread.sleep(PAUSE.toMillis());
        }
    }
}
