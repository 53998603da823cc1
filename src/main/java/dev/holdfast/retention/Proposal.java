package dev.holdfast.retention;

import java.time.Instant;
import java.util.Objects;

/**
 * A policy that is to be the next version.
 *
 * @param existing whether it shall also rule what is there
 */
public record Proposal(Policy policy, boolean existing) {

    public Proposal {
        Objects.requireNonNull(policy);
    }

    Regime.Version version(int number, Instant now) {
        return new Regime.Version(number, policy, existing ? Instant.EPOCH : now);
    }

    Regime upon(Regime before, Instant now) {
        return before.with(version(before.latest() + 1, now));
    }
}
