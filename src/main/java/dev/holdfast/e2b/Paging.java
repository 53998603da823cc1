package dev.holdfast.e2b;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Token;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * Paging as the clients do it: a limit and an opaque token that names the last row of a page.
 *
 * @param order which list the token is for; one of another list is refused
 */
record Paging(String order, int limit, Optional<Place> after) {

    private static final int MOST = 100;

    /** The last row of a page. */
    record Place(Instant moment, String id) {}

    static Paging read(String order, String limit, String token) {
        return new Paging(
                order,
                limit == null || limit.isEmpty() ? MOST : limit(limit),
                token == null || token.isEmpty()
                        ? Optional.empty()
                        : Optional.of(place(order, token)));
    }

    String token(Instant moment, String id) {
        String text = order + "__" + moment + "__" + id;
        return Token.of(text);
    }

    private static int limit(String text) {
        try {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= MOST) {
                return limit;
            }
        } catch (NumberFormatException e) {
            // refused below like a number out of range
        }
        throw Problem.invalid("limit", "\"limit\" is a number from 1 to 100.");
    }

    private static Place place(String order, String token) {
        try {
            String[] parts = Token.read(token).orElse("").split("__", -1);
            if (parts.length == 3 && parts[0].equals(order)) {
                return new Place(Moments.storable(Instant.parse(parts[1])), parts[2]);
            }
        } catch (IllegalArgumentException | DateTimeException e) {
            // refused below like a token of another list
        }
        throw foreign();
    }

    /** Also for a place whose ID is none. */
    static Problem foreign() {
        return Problem.invalid(
                "nextToken",
                "\"nextToken\" is not one that this list gave. Start again without it.");
    }
}
