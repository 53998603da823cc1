package dev.holdfast.operator;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** The last sample of one source, and since when it is out of date. */
final class Reading {

    /** So many samples may fail before the last good one is no longer shown. */
    private static final int MISSES = 3;

    private record Taken(Sample sample, Instant at) {}

    private final String source;
    private final Clock clock;
    private final Duration longest;
    private final Supplier<Sample> sampling;
    private volatile Taken last = new Taken(Sample.NONE, Instant.EPOCH);
    private boolean missing;

    Reading(String source, Clock clock, Duration period, Supplier<Sample> sampling) {
        this.source = source;
        this.clock = clock;
        this.longest = period.multipliedBy(MISSES);
        this.sampling = sampling;
    }

    /**
     * Takes a sample.
     *
     * @return why there is none, the first time only
     */
    synchronized Optional<String> take() {
        try {
            last = new Taken(sampling.get(), clock.instant());
            missing = false;
            return Optional.empty();
        } catch (RuntimeException e) {
            boolean told = missing;
            missing = true;
            return told
                    ? Optional.empty()
                    : Optional.of(source + " gave no sample: " + e.getMessage());
        }
    }

    Sample last() {
        return last.sample();
    }

    /** A number of the last sample; none while that is out of date. */
    double show(String number) {
        Taken taken = last;
        return taken.at().plus(longest).isBefore(clock.instant())
                ? Double.NaN
                : taken.sample().of(number);
    }
}
