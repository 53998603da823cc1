package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The members of a body that says what is to be changed. One that is not known is refused: left
 * aside, more would be changed than was meant.
 */
record Asked(JsonObject members) {

    static Asked of(JsonValue body, Set<String> known) {
        if (!(body instanceof JsonObject members)) {
            throw new Problem(Reason.INVALID_PARAMETER, "The body has to be a JSON object.");
        }
        members.keySet().stream()
                .filter(name -> !known.contains(name))
                .findFirst()
                .ifPresent(
                        name -> {
                            throw Problem.invalid(
                                    name,
                                    "What is taken here is "
                                            + String.join(", ", new TreeSet<>(known))
                                            + ".");
                        });
        return new Asked(members);
    }

    boolean has(String name) {
        return members.containsKey(name);
    }

    Optional<Asked> object(String name, Set<String> known) {
        return value(name)
                .map(
                        value -> {
                            if (!(value instanceof JsonObject)) {
                                throw Problem.invalid(name, "\"" + name + "\" is an object.");
                            }
                            return of(value, known);
                        });
    }

    Optional<String> text(String name) {
        return value(name)
                .map(
                        value -> {
                            if (value instanceof JsonString text) {
                                return text.getString();
                            }
                            throw Problem.invalid(name, "\"" + name + "\" is a text.");
                        });
    }

    Optional<Boolean> flag(String name) {
        return value(name)
                .map(
                        value -> {
                            if (value != JsonValue.TRUE && value != JsonValue.FALSE) {
                                throw Problem.invalid(name, "\"" + name + "\" is true or false.");
                            }
                            return value == JsonValue.TRUE;
                        });
    }

    Optional<Long> number(String name) {
        return value(name)
                .map(
                        value -> {
                            if (value instanceof JsonNumber number
                                    && number.isIntegral()
                                    && number.bigIntegerValue().bitLength() < 63) {
                                return number.longValue();
                            }
                            throw Problem.invalid(name, "\"" + name + "\" is a whole number.");
                        });
    }

    Optional<List<String>> texts(String name) {
        return value(name)
                .map(
                        value -> {
                            List<String> texts = new ArrayList<>();
                            if (value.getValueType() != JsonValue.ValueType.ARRAY) {
                                throw Problem.invalid(name, "\"" + name + "\" is a list of texts.");
                            }
                            for (JsonValue each : value.asJsonArray()) {
                                if (!(each instanceof JsonString text)) {
                                    throw Problem.invalid(
                                            name, "\"" + name + "\" is a list of texts.");
                                }
                                texts.add(text.getString());
                            }
                            return texts;
                        });
    }

    /** Keys with a text or, for what is to go, nothing. */
    Optional<Map<String, Optional<String>>> map(String name) {
        return value(name)
                .map(
                        value -> {
                            if (!(value instanceof JsonObject object)) {
                                throw Problem.invalid(
                                        name, "\"" + name + "\" is an object of texts.");
                            }
                            Map<String, Optional<String>> map = new LinkedHashMap<>();
                            object.forEach((key, each) -> map.put(key, textOrNull(name, each)));
                            return map;
                        });
    }

    private static Optional<String> textOrNull(String name, JsonValue value) {
        if (value == JsonValue.NULL) {
            return Optional.empty();
        }
        if (value instanceof JsonString text) {
            return Optional.of(text.getString());
        }
        throw Problem.invalid(name, "\"" + name + "\" is an object of texts.");
    }

    private Optional<JsonValue> value(String name) {
        return Optional.ofNullable(members.get(name)).filter(value -> value != JsonValue.NULL);
    }
}
