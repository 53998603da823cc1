package dev.holdfast.retention;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the policies of a project say at one moment.
 *
 * @param items those that go, or would but for what keeps them; a page of them, the newest first
 * @param next what gives the page behind it
 * @param token what shows that somebody has seen this
 */
public record Review(
        Instant at,
        Sum kept,
        Sum going,
        Sum shielded,
        List<Item> items,
        Optional<String> next,
        String token) {

    public Review {
        items = List.copyOf(items);
    }

    /** One that goes or would. */
    public record Item(Candidate candidate, Regime.Verdict verdict) {}

    /** How many, and the stored bytes of all. */
    public record Sum(long count, long bytes) {
        static final Sum NOTHING = new Sum(0, 0);

        Sum plus(Candidate one) {
            return new Sum(count + 1, bytes + one.bytes());
        }
    }
}
