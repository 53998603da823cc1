package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.function.UnaryOperator;

/**
 * Another expiry of a snapshot, said in one way or the other.
 *
 * @param expiresAt the moment, as RFC 3339 has it
 * @param retentionSeconds how long it is kept, counted from its saving
 */
public record ExpiryRequest(String expiresAt, Long retentionSeconds) {

    private static final long LONGEST_SECONDS = 100L * 365 * 24 * 3600;

    UnaryOperator<Instant> from() {
        if ((expiresAt == null) == (retentionSeconds == null)) {
            throw invalid("Give either \"expiresAt\" or \"retentionSeconds\".");
        }
        if (expiresAt != null) {
            Instant moment = moment();
            return saved -> moment;
        }
        if (retentionSeconds < 1 || retentionSeconds > LONGEST_SECONDS) {
            throw invalid("\"retentionSeconds\" is a positive number of seconds.");
        }
        return saved -> saved.plus(Duration.ofSeconds(retentionSeconds));
    }

    private Instant moment() {
        try {
            Instant moment = OffsetDateTime.parse(expiresAt).toInstant();
            if (moment.isBefore(Instant.ofEpochSecond(LONGEST_SECONDS * 2))) {
                return moment;
            }
        } catch (DateTimeException e) {
            // refused below like a moment out of range
        }
        throw invalid("\"expiresAt\" is a moment like 2030-01-31T12:00:00Z.");
    }

    private static Problem invalid(String rule) {
        return new Problem(Reason.INVALID_PARAMETER, rule).with("parameter", "expiresAt");
    }
}
