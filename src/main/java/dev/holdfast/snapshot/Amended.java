package dev.holdfast.snapshot;

import dev.holdfast.problem.Problem;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.time.DateTimeException;
import java.util.Objects;

/**
 * What was changed of a snapshot after its manifest was written, as it is kept beside it.
 *
 * @param number of the last change; 0: none
 * @param facts what they came to
 * @param latest whether these are the facts of that last change: those of a torn one are lost
 */
public record Amended(long number, JsonObject facts, boolean latest) {

    public Amended {
        Objects.requireNonNull(facts);
        if (number < 0) {
            throw new IllegalArgumentException("changes are counted from 1");
        }
        try {
            Fact.onto(new Snapshot(), facts);
        } catch (DateTimeException | ClassCastException | Problem e) {
            throw new IllegalArgumentException("no snapshot can be so: " + e.getMessage(), e);
        }
    }

    /**
     * Nothing says what was changed, nor that nothing was.
     *
     * @param number of the last change that left a trace
     */
    public static Amended unknown(long number) {
        return new Amended(number, JsonValue.EMPTY_JSON_OBJECT, false);
    }

    /** Whether the expiry is the one that was set last. */
    boolean settlesExpiry() {
        return latest && Fact.EXPIRES_AT.isIn(facts);
    }
}
