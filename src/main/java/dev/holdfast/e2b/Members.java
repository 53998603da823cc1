package dev.holdfast.e2b;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.json.JsonValue.ValueType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the members of a request. A member that is absent or null is empty, one of another type is
 * refused by name, and unknown ones are ignored, as the clients expect.
 */
record Members(JsonObject json) {

    private static final long LONGEST_SECONDS = 10L * 365 * 24 * 3600;

    /** No body at all is an object without members. */
    static Members of(JsonValue body) {
        if (body == null || body.getValueType() == ValueType.NULL) {
            return new Members(JsonValue.EMPTY_JSON_OBJECT);
        }
        if (body.getValueType() != ValueType.OBJECT) {
            throw new Problem(Reason.INVALID_PARAMETER, "The body has to be a JSON object.");
        }
        return new Members(body.asJsonObject());
    }

    Optional<String> text(String name) {
        return member(name, ValueType.STRING, "a text")
                .map(value -> ((JsonString) value).getString());
    }

    Optional<Boolean> flag(String name) {
        return Optional.ofNullable(json.get(name))
                .filter(value -> value.getValueType() != ValueType.NULL)
                .map(
                        value ->
                                switch (value.getValueType()) {
                                    case TRUE -> true;
                                    case FALSE -> false;
                                    default -> throw wrong(name, "true or false");
                                });
    }

    /** A positive number of whole seconds. */
    Optional<Duration> seconds(String name) {
        return member(name, ValueType.NUMBER, "a number of seconds")
                .map(
                        value -> {
                            JsonNumber number = (JsonNumber) value;
                            if (!number.isIntegral()
                                    || number.bigIntegerValue().bitLength() > 62
                                    || number.longValue() < 1
                                    || number.longValue() > LONGEST_SECONDS) {
                                throw wrong(name, "a positive whole number of seconds");
                            }
                            return Duration.ofSeconds(number.longValue());
                        });
    }

    /** A whole number in a range. */
    Optional<Integer> whole(String name, int least, int most) {
        return member(name, ValueType.NUMBER, "a number")
                .map(
                        value -> {
                            JsonNumber number = (JsonNumber) value;
                            if (!number.isIntegral()
                                    || number.bigIntegerValue().bitLength() > 31
                                    || number.intValue() < least
                                    || number.intValue() > most) {
                                throw wrong(name, "a whole number from " + least + " to " + most);
                            }
                            return number.intValue();
                        });
    }

    Optional<Map<String, String>> texts(String name) {
        return member(name, ValueType.OBJECT, "an object of texts")
                .map(
                        value -> {
                            Map<String, String> map = new LinkedHashMap<>();
                            value.asJsonObject()
                                    .forEach(
                                            (key, each) -> {
                                                if (!(each instanceof JsonString text)) {
                                                    throw wrong(name, "an object of texts");
                                                }
                                                map.put(key, text.getString());
                                            });
                            return map;
                        });
    }

    /** A list of texts; empty when it is absent. */
    List<String> textList(String name) {
        return member(name, ValueType.ARRAY, "a list of texts")
                .map(
                        value -> {
                            List<String> list = new ArrayList<>();
                            for (JsonValue each : value.asJsonArray()) {
                                if (!(each instanceof JsonString text)) {
                                    throw wrong(name, "a list of texts");
                                }
                                list.add(text.getString());
                            }
                            return list;
                        })
                .orElse(List.of());
    }

    Members object(String name) {
        return new Members(
                member(name, ValueType.OBJECT, "an object")
                        .map(JsonValue::asJsonObject)
                        .orElse(JsonValue.EMPTY_JSON_OBJECT));
    }

    /**
     * What we do not do is refused by name; absent, null, false and empty are no request for it.
     */
    void refuse(String name) {
        if (isSet(name)) {
            throw new Problem(
                            Reason.UNSUPPORTED_PARAMETER,
                            "\"" + name + "\" is not supported. Leave it out.")
                    .with("parameter", name);
        }
    }

    boolean isSet(String name) {
        JsonValue value = json.get(name);
        if (value == null) {
            return false;
        }
        return switch (value.getValueType()) {
            case NULL, FALSE -> false;
            case OBJECT -> !value.asJsonObject().isEmpty();
            case ARRAY -> !value.asJsonArray().isEmpty();
            case STRING -> !((JsonString) value).getString().isEmpty();
            default -> true;
        };
    }

    private Optional<JsonValue> member(String name, ValueType type, String words) {
        JsonValue value = json.get(name);
        if (value == null || value.getValueType() == ValueType.NULL) {
            return Optional.empty();
        }
        if (value.getValueType() != type) {
            throw wrong(name, words);
        }
        return Optional.of(value);
    }

    private static Problem wrong(String name, String words) {
        return Problem.invalid(name, "\"" + name + "\" has to be " + words + ".");
    }
}
