package dev.holdfast.agent;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonBuilderFactory;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReaderFactory;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON object from a sandbox, read with suspicion: what is missing or of another type is a
 * default, never a surprise.
 */
record Members(JsonObject json) {

    /** Kept, because each look-up of the provider walks the class path. */
    static final JsonBuilderFactory BUILDERS = Json.createBuilderFactory(Map.of());

    static final JsonReaderFactory READERS = Json.createReaderFactory(Map.of());
    private static final int LONGEST_NUMBER = 19;

    static Members parse(byte[] text) {
        try (var reader =
                READERS.createReader(new ByteArrayInputStream(text), StandardCharsets.UTF_8)) {
            return new Members(reader.readObject());
        } catch (RuntimeException | StackOverflowError e) {
            throw AgentException.reset("the agent's answer is no JSON object");
        }
    }

    String text(String name) {
        return json.get(name) instanceof JsonString text ? text.getString() : "";
    }

    /**
     * Through its digits: the number classes can be made to work for minutes on a huge exponent.
     */
    long number(String name, long otherwise) {
        if (!(json.get(name) instanceof JsonNumber number)) {
            return otherwise;
        }
        var digits = number.toString();
        try {
            return digits.length() > LONGEST_NUMBER + 1 ? otherwise : Long.parseLong(digits);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    boolean flag(String name) {
        return json.get(name) != null && "true".equals(json.get(name).toString());
    }

    boolean has(String name) {
        return json.containsKey(name);
    }

    Members object(String name) {
        return json.get(name) instanceof JsonObject inner
                ? new Members(inner)
                : new Members(JsonValue.EMPTY_JSON_OBJECT);
    }

    List<String> texts(String name) {
        var texts = new ArrayList<String>();
        if (json.get(name) instanceof JsonArray array) {
            for (var value : array) {
                if (value instanceof JsonString text) {
                    texts.add(text.getString());
                }
            }
        }
        return List.copyOf(texts);
    }

    /**
     * @param most how many are taken: of many that are short each takes far more than its letters
     */
    Map<String, String> map(String name, int most) {
        var map = new LinkedHashMap<String, String>();
        object(name)
                .json()
                .forEach(
                        (key, value) -> {
                            if (value instanceof JsonString text && map.size() < most) {
                                map.put(key, text.getString());
                            }
                        });
        return Map.copyOf(map);
    }
}
