package dev.holdfast.envd;

import jakarta.json.Json;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonReaderFactory;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A request message in proto3's JSON: members may be absent, null or named in snake_case; unknown
 * ones are ignored; a wrong type is the caller's mistake.
 */
final class Message {

    /** Kept, because each look-up of the provider walks the class path. */
    private static final JsonReaderFactory READERS = Json.createReaderFactory(Map.of());

    private static final int LONGEST_NUMBER = 20;

    private final JsonObject json;

    private Message(JsonObject json) {
        this.json = json;
    }

    static Message parse(byte[] text) {
        // The reader throws what it likes at texts that nobody sends, such as ones nested too deep.
        try (JsonReader reader = READERS.createReader(new StringReader(strict(text)))) {
            return new Message(reader.readObject());
        } catch (CharacterCodingException | RuntimeException | StackOverflowError e) {
            throw ConnectError.invalid("the message is not a JSON object in UTF-8");
        }
    }

    private static String strict(byte[] text) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
    }

    String text(String name) {
        return optionalText(name).orElse("");
    }

    Optional<String> optionalText(String name) {
        return value(name).map(v -> string(name, v));
    }

    boolean truth(String name, boolean otherwise) {
        Optional<JsonValue> value = value(name);
        if (value.isEmpty()) {
            return otherwise;
        }
        if (value.get() == JsonValue.TRUE || value.get() == JsonValue.FALSE) {
            return value.get() == JsonValue.TRUE;
        }
        throw wrong(name);
    }

    /**
     * A whole number, written as one or, as proto3 allows, as a text. Read from its digits: the
     * number classes can be made to work for minutes on a huge exponent.
     */
    OptionalLong number(String name) {
        Optional<JsonValue> value = value(name);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        String digits = choice(name);
        if (digits.length() > LONGEST_NUMBER) {
            throw wrong(name);
        }
        try {
            return OptionalLong.of(Long.parseLong(digits));
        } catch (NumberFormatException e) {
            throw wrong(name);
        }
    }

    /** An enum's value by name, or its number as a text. */
    String choice(String name) {
        return value(name)
                .map(v -> v instanceof JsonNumber n ? n.toString() : string(name, v))
                .orElse("");
    }

    Optional<byte[]> bytes(String name) {
        return value(name).map(v -> decode(name, string(name, v)));
    }

    Optional<Message> message(String name) {
        return value(name)
                .map(
                        v -> {
                            if (v instanceof JsonObject object) {
                                return new Message(object);
                            }
                            throw wrong(name);
                        });
    }

    List<String> texts(String name) {
        Optional<JsonValue> value = value(name);
        if (value.isEmpty()) {
            return List.of();
        }
        if (value.get().getValueType() != JsonValue.ValueType.ARRAY) {
            throw wrong(name);
        }
        List<String> texts = new ArrayList<>();
        value.get().asJsonArray().forEach(v -> texts.add(string(name, v)));
        return texts;
    }

    Map<String, String> pairs(String name) {
        Optional<JsonValue> value = value(name);
        if (value.isEmpty()) {
            return Map.of();
        }
        if (!(value.get() instanceof JsonObject object)) {
            throw wrong(name);
        }
        Map<String, String> pairs = new LinkedHashMap<>();
        object.forEach((key, v) -> pairs.put(key, string(name, v)));
        return pairs;
    }

    private Optional<JsonValue> value(String name) {
        JsonValue value = json.get(name);
        if (value == null) {
            value = json.get(snake(name));
        }
        return value == JsonValue.NULL ? Optional.empty() : Optional.ofNullable(value);
    }

    private static String string(String name, JsonValue value) {
        if (value instanceof JsonString text && isText(text.getString())) {
            return text.getString();
        }
        throw wrong(name);
    }

    /** Half a character can be escaped in JSON, but is no text. */
    private static boolean isText(String text) {
        return text.codePoints().noneMatch(c -> c >= 0xd800 && c <= 0xdfff);
    }

    /** Standard and URL-safe alphabet, padded or not: proto3's JSON takes all of them. */
    private static byte[] decode(String name, String text) {
        try {
            return Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
        } catch (IllegalArgumentException e) {
            throw wrong(name);
        }
    }

    private static ConnectError wrong(String name) {
        return ConnectError.invalid("member '" + name + "' has the wrong type");
    }

    private static String snake(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
