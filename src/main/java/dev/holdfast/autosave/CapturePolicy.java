package dev.holdfast.autosave;

import dev.holdfast.problem.Problem;
import jakarta.persistence.Embeddable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a sandbox is captured by itself, and how many of these captures are kept.
 *
 * @param everySeconds at the latest so long after the last one, if something has changed; null: at
 *     no interval
 * @param atTimeout before it ends at its timeout, unless somebody has paused it by then
 * @param onKill before somebody's kill ends it
 * @param memoryPercent when it uses so much of its memory; null: never for that
 * @param keepLast how many are kept; older ones go
 * @param retentionSeconds how long each is kept at most; null: as its project has it
 */
@Embeddable
public record CapturePolicy(
        Long everySeconds,
        boolean atTimeout,
        boolean onKill,
        Integer memoryPercent,
        int keepLast,
        Long retentionSeconds) {

    public static final Duration LONGEST_INTERVAL = Duration.ofHours(24);
    public static final int LEAST_PERCENT = 10;
    public static final int MOST_PERCENT = 99;
    public static final int USUAL_PERCENT = 90;
    public static final int MOST_KEPT = 100;
    public static final int USUALLY_KEPT = 5;

    /** So much sooner it may be, so that sandboxes which began together do not freeze together. */
    private static final double SPREAD = 0.1;

    /**
     * @throws Problem {@code invalid_parameter}
     */
    public CapturePolicy {
        if (everySeconds == null && !atTimeout && !onKill && memoryPercent == null) {
            throw Problem.invalid(
                    "every",
                    "A policy says when to capture: \"every\" some seconds, \"atTimeout\","
                            + " \"onKill\" or \"onMemoryDanger\". To capture never, remove it.");
        }
        if (everySeconds != null
                && (everySeconds < 1 || everySeconds > LONGEST_INTERVAL.toSeconds())) {
            throw Problem.invalid(
                    "every",
                    "\"every\" is a number of seconds up to " + LONGEST_INTERVAL.toSeconds() + ".");
        }
        if (memoryPercent != null
                && (memoryPercent < LEAST_PERCENT || memoryPercent > MOST_PERCENT)) {
            throw Problem.invalid(
                    "memoryPercent",
                    "\"memoryPercent\" is from " + LEAST_PERCENT + " to " + MOST_PERCENT + ".");
        }
        if (keepLast < 1 || keepLast > MOST_KEPT) {
            throw Problem.invalid("keepLast", "\"keepLast\" is from 1 to " + MOST_KEPT + ".");
        }
        if (retentionSeconds != null && retentionSeconds < 1) {
            throw Problem.invalid(
                    "retention", "\"retention\" is a positive number of whole seconds.");
        }
    }

    public Optional<Duration> interval() {
        return Optional.ofNullable(everySeconds).map(Duration::ofSeconds);
    }

    public Optional<Duration> retention() {
        return Optional.ofNullable(retentionSeconds).map(Duration::ofSeconds);
    }

    public boolean isFor(Cause cause) {
        return switch (cause) {
            case INTERVAL -> everySeconds != null;
            case TIMEOUT -> atTimeout;
            case KILL -> onKill;
            case MEMORY -> memoryPercent != null;
        };
    }

    /**
     * When the interval is over that begins at a moment: never later than it says.
     *
     * @param chance from 0 to 1, by which it is sooner
     */
    Optional<Instant> next(Instant from, double chance) {
        return interval()
                .map(
                        every ->
                                from.plus(every)
                                        .minusMillis((long) (every.toMillis() * SPREAD * chance)));
    }
}
