package dev.holdfast.webhook;

import dev.holdfast.event.EventId;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * An event on its way to an endpoint, or what became of it.
 *
 * @param event its ID there is the delivery's too, however often it is sent
 * @param dueAt when it is tried again; empty when it is over
 * @param status of the last answer
 * @param detail the beginning of the last answer, or why there was none
 */
public record Delivery(
        long id,
        EventId event,
        String type,
        Instant happenedAt,
        State state,
        int attempts,
        Optional<Instant> dueAt,
        Optional<Instant> lastAt,
        Optional<Integer> status,
        Optional<String> detail) {

    /** How far it is. */
    public enum State {
        PENDING,
        DELIVERED,
        FAILED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static Optional<State> of(String word) {
            return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
        }
    }
}
