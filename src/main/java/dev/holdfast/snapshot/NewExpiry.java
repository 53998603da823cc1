package dev.holdfast.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Another end of a snapshot.
 *
 * @param parameter the member in which the caller says it, for refusals to name
 * @param fromSaving makes it from the moment of saving
 */
public record NewExpiry(String parameter, UnaryOperator<Instant> fromSaving) {

    public NewExpiry {
        Objects.requireNonNull(parameter);
        Objects.requireNonNull(fromSaving);
    }

    public static NewExpiry at(String parameter, Instant moment) {
        return new NewExpiry(parameter, saved -> moment);
    }

    public static NewExpiry after(String parameter, Duration retention) {
        return new NewExpiry(parameter, saved -> saved.plus(retention));
    }
}
