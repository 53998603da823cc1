package dev.holdfast.snapshot;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Somebody's wish that a snapshot stays: it neither expires nor is let go by a policy, and is not
 * deleted before the pin is lifted.
 *
 * @param by who pinned it
 * @param until null: until somebody lifts it
 */
@Embeddable
public record Pin(
        @Column(name = "pin_reason") String reason,
        @Column(name = "pinned_by") String by,
        @Column(name = "pinned_at") Instant at,
        @Column(name = "pinned_until") Instant until) {

    public static final int LONGEST_REASON = 500;

    /**
     * @throws dev.holdfast.problem.Problem {@code invalid_parameter}
     */
    public Pin {
        Wording.require(reason);
        Objects.requireNonNull(by);
        Objects.requireNonNull(at);
    }

    public Optional<Instant> end() {
        return Optional.ofNullable(until);
    }

    boolean isOn(Instant now) {
        return until == null || until.isAfter(now);
    }
}
