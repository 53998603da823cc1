package dev.holdfast.e2b;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
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
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.getBytes(StandardCharsets.UTF_8));
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
        throw new Problem(Reason.INVALID_PARAMETER, "\"limit\" is a number from 1 to 100.")
                .with("parameter", "limit");
    }

    private static Place place(String order, String token) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            String[] parts = text.split("__", -1);
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
        return new Problem(
                        Reason.INVALID_PARAMETER,
                        "\"nextToken\" is not one that this list gave. Start again without it.")
                .with("parameter", "nextToken");
    }
}
