package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import dev.holdfast.snapshot.Pin;
import jakarta.json.JsonValue;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What keeps a snapshot from its end.
 *
 * @param reason for others
 * @param until when that is over; a pin without it stays until it is lifted
 */
public record GuardRequest(
        @Schema(required = true, minLength = 1, maxLength = Pin.LONGEST_REASON) String reason,
        @Schema(format = "date-time") String until) {

    private static final String REASON = "reason";
    private static final String UNTIL = "until";

    static GuardRequest read(JsonValue body) {
        Asked asked = Asked.of(body, Set.of(REASON, UNTIL));
        return new GuardRequest(asked.text(REASON).orElse(null), asked.text(UNTIL).orElse(null));
    }

    Optional<Instant> end() {
        return Optional.ofNullable(until).map(text -> Moment.read(UNTIL, text));
    }

    Instant requiredEnd() {
        return end().orElseThrow(
                        () ->
                                Problem.invalid(
                                        UNTIL, "\"until\" is a moment like 2030-01-31T12:00:00Z."));
    }
}
