package dev.holdfast.agent;

import java.time.Duration;

/**
 * How long an agent is waited for.
 *
 * @param taking how long it may take nothing of what is written to it; then the channel has failed
 * @param answering how long it may owe an answer, without the time in which the channel is quiet;
 *     then nobody waits for that any more, and the channel goes on. What streams has no such bound
 */
public record Patience(Duration taking, Duration answering) {

    private static final Duration TAKING = Duration.ofSeconds(30);

    public Patience {
        if (taking.isNegative() || taking.isZero()) {
            throw new IllegalArgumentException("an agent may take some time for what is written");
        }
        if (answering.isNegative() || answering.isZero()) {
            throw new IllegalArgumentException("an agent may take some time for an answer");
        }
    }

    /** The usual, with so long for an answer. */
    public static Patience of(Duration answering) {
        return new Patience(TAKING, answering);
    }
}
