package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import dev.holdfast.snapshot.NewExpiry;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * Another expiry of a snapshot, said in one way or the other.
 *
 * @param expiresAt the moment, as RFC 3339 has it
 * @param retentionSeconds how long it is kept, counted from its saving
 */
public record ExpiryRequest(String expiresAt, Long retentionSeconds) {

    private static final long LONGEST_SECONDS = 100L * 365 * 24 * 3600;

    private static final String EXPIRES_AT = "expiresAt";
    private static final String RETENTION = "retentionSeconds";

    NewExpiry from() {
        if ((expiresAt == null) == (retentionSeconds == null)) {
            throw Problem.invalid(EXPIRES_AT, "Give either \"expiresAt\" or \"retentionSeconds\".");
        }
        if (expiresAt != null) {
            return NewExpiry.at(EXPIRES_AT, moment());
        }
        if (retentionSeconds < 1 || retentionSeconds > LONGEST_SECONDS) {
            throw Problem.invalid(
                    RETENTION, "\"retentionSeconds\" is a positive number of seconds.");
        }
        return NewExpiry.after(RETENTION, Duration.ofSeconds(retentionSeconds));
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
        throw Problem.invalid(EXPIRES_AT, "\"expiresAt\" is a moment like 2030-01-31T12:00:00Z.");
    }
}
