package dev.holdfast.webhook;

import java.time.Duration;
import java.util.Optional;

/**
 * When a delivery that failed is tried again: after a second, then after twice as long each time,
 * at most an hour, until a day has passed since the first try.
 */
final class Backoff {
    static final Duration GIVES_UP = Duration.ofHours(24);

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    private Backoff() {}

    /**
     * @param failed how many tries have failed, this one among them
     * @param age how long ago the first one was
     * @param chance from 0 to 1: spreads the tries of many by a fifth, so that an endpoint that
     *     comes back does not get all at once
     * @return empty when nothing is tried any more
     */
    static Optional<Duration> after(int failed, Duration age, double chance) {
        if (age.compareTo(GIVES_UP) >= 0) {
            return Optional.empty();
        }
        long doubled = FIRST.toMillis() << Math.min(failed - 1, 20);
        long wait = Math.min(doubled, LONGEST.toMillis());
        return Optional.of(Duration.ofMillis((long) (wait * (0.8 + 0.4 * chance))));
    }
}
