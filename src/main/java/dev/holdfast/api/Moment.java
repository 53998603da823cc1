package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** A moment that a caller writes, as RFC 3339 has it. */
final class Moment {
    private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");

    private Moment() {}

    /**
     * @throws Problem {@code invalid_parameter}, also for what the database cannot compare
     */
    static Instant read(String parameter, String text) {
        try {
            Instant moment = OffsetDateTime.parse(text).toInstant();
            if (moment.isAfter(Instant.EPOCH) && moment.isBefore(FAR)) {
                return moment;
            }
        } catch (DateTimeException e) {
            // refused below like a moment out of range
        }
        throw Problem.invalid(
                parameter, "\"" + parameter + "\" is a moment like 2030-01-31T12:00:00Z.");
    }
}
