package dev.holdfast.snapshot;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.time.Instant;
import java.util.Objects;

/**
 * An order that a snapshot stays until a moment: nobody can lift it before, only move its end
 * further away.
 *
 * @param by who ordered it, or moved its end last
 */
@Embeddable
public record Hold(
        @Column(name = "hold_reason") String reason,
        @Column(name = "held_by") String by,
        @Column(name = "held_at") Instant at,
        @Column(name = "held_until") Instant until) {

    /**
     * @throws dev.holdfast.problem.Problem {@code invalid_parameter}
     */
    public Hold {
        Wording.require(reason);
        Objects.requireNonNull(by);
        Objects.requireNonNull(at);
        Objects.requireNonNull(until);
    }

    boolean isOn(Instant now) {
        return until.isAfter(now);
    }
}
