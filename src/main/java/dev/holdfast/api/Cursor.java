package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Token;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * A place in a list that is ordered by time: what a page gives as {@code next} and takes as {@code
 * after}.
 *
 * @param id tells rows of one instant apart
 */
record Cursor(Instant at, String id) {
    private static final int MOST = 100;
    private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");

    String token() {
        return Token.of(at + " " + id);
    }

    /**
     * @param place reads the two parts; empty if they are none of this list
     * @throws Problem {@code invalid_parameter} for a token of another list
     */
    static <T> Optional<T> after(String token, Function<Cursor, Optional<T>> place) {
        return token == null || token.isEmpty()
                ? Optional.empty()
                : Optional.of(read(token).flatMap(place).orElseThrow(Cursor::foreign));
    }

    private static Optional<Cursor> read(String token) {
        try {
            String[] parts = Token.read(token).orElse("").split(" ", -1);
            Instant moment = Instant.parse(parts[0]);
            return parts.length == 2 && moment.isAfter(Instant.EPOCH) && moment.isBefore(FAR)
                    ? Optional.of(new Cursor(moment, parts[1]))
                    : Optional.empty();
        } catch (IllegalArgumentException | DateTimeException e) {
            return Optional.empty(); // refused like a token of another list
        }
    }

    /** How many a page has. */
    static int limit(String text) {
        return limit(text, MOST);
    }

    /** The same of a list whose rows are small: a page may have more of them when it is said. */
    static int limit(String text, int most) {
        return text == null || text.isEmpty() ? MOST : limitSaid(text, most);
    }

    /** The same where the parameter has a default of its own. */
    static int limitSaid(String text) {
        return limitSaid(text, MOST);
    }

    private static int limitSaid(String text, int most) {
        if (text.matches("[1-9][0-9]{0,3}") && Integer.parseInt(text) <= most) {
            return Integer.parseInt(text);
        }
        throw Problem.invalid("limit", "\"limit\" is a number from 1 to " + most + ".");
    }

    private static Problem foreign() {
        return Problem.invalid(
                "after", "\"after\" is what this list gave as next. Start without it.");
    }
}
