package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * A merge patch: a member that is absent leaves things as they are, and {@code null} takes them
 * away. Members that nobody knows are refused, or a mistyped one would look as if it had worked.
 */
final class Change {
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    private final JsonObject members;

    private Change(JsonObject members) {
        this.members = members;
    }

    static Change of(JsonValue body, Set<String> known) {
        return of("the body", body == null ? JsonValue.EMPTY_JSON_OBJECT : body, known);
    }

    private static Change of(String what, JsonValue value, Set<String> known) {
        if (!(value instanceof JsonObject members)) {
            throw Problem.invalid(what, "\"" + what + "\" is a JSON object.");
        }
        members.keySet().stream()
                .filter(name -> !known.contains(name))
                .findFirst()
                .ifPresent(
                        name -> {
                            throw Problem.invalid(
                                    name,
                                    "\""
                                            + name
                                            + "\" is not known here; there are "
                                            + String.join(", ", known.stream().sorted().toList())
                                            + ".");
                        });
        return new Change(members);
    }

    boolean has(String name) {
        return members.containsKey(name);
    }

    boolean isNull(String name) {
        return members.get(name) == JsonValue.NULL;
    }

    /** Empty where it is absent or null. */
    Optional<String> text(String name) {
        JsonValue value = members.getOrDefault(name, JsonValue.NULL);
        if (value == JsonValue.NULL) {
            return Optional.empty();
        }
        if (value instanceof JsonString text) {
            return Optional.of(text.getString());
        }
        throw Problem.invalid(name, "\"" + name + "\" is a text.");
    }

    /** A whole number of at least 0. */
    Optional<Long> number(String name, long most) {
        JsonValue value = members.getOrDefault(name, JsonValue.NULL);
        if (value == JsonValue.NULL) {
            return Optional.empty();
        }
        if (value instanceof JsonNumber number && number.isIntegral()) {
            BigInteger whole = number.bigIntegerValue();
            if (whole.signum() >= 0 && whole.compareTo(MOST.min(BigInteger.valueOf(most))) <= 0) {
                return Optional.of(whole.longValue());
            }
        }
        throw Problem.invalid(name, "\"" + name + "\" is a number from 0 to " + most + ".");
    }

    Optional<Duration> seconds(String name) {
        return number(name, 100L * 365 * 24 * 3600).map(Duration::ofSeconds);
    }

    /** Empty where it is absent or null. */
    Optional<Change> object(String name, Set<String> known) {
        JsonValue value = members.getOrDefault(name, JsonValue.NULL);
        return value == JsonValue.NULL ? Optional.empty() : Optional.of(of(name, value, known));
    }
}
