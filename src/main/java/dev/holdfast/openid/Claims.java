package dev.holdfast.openid;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonException;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What an ID token says, of one that somebody else has verified. */
record Claims(JsonObject all) {

    private static final int PARTS = 3;
    private static final int LONGEST_NAME = 128;
    private static final int LONGEST_SUBJECT = 255;
    private static final int MOST_ROLES = 1000;

    /**
     * @throws IllegalArgumentException if it is no signed token with a subject and an end
     */
    static Claims of(String idToken) {
        String[] parts = idToken.split("\\.", -1);
        if (parts.length != PARTS) {
            throw new IllegalArgumentException("An ID token has three parts");
        }
        String payload =
                new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        try (var reader = Json.createReader(new StringReader(payload))) {
            return new Claims(reader.readObject());
        } catch (JsonException e) {
            throw new IllegalArgumentException("The claims of an ID token are a JSON object", e);
        }
    }

    Claims {
        String subject = text(all, "sub").orElse("");
        if (subject.isEmpty()
                || subject.length() > LONGEST_SUBJECT
                || subject.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("A subject has 1 to 255 characters");
        }
        if (!(all.get("exp") instanceof JsonNumber)) {
            throw new IllegalArgumentException("An ID token has an end");
        }
    }

    /** What the provider calls the person for good. */
    String subject() {
        return all.getString("sub");
    }

    Instant endsAt() {
        return Instant.ofEpochSecond(all.getJsonNumber("exp").longValue());
    }

    /** The first of the usual claims that holds one, else the subject. */
    String name() {
        String found =
                Stream.of("name", "preferred_username", "email")
                        .flatMap(claim -> text(all, claim).stream())
                        .map(Claims::tidy)
                        .filter(text -> !text.isEmpty())
                        .findFirst()
                        .orElse(subject());
        return found.codePointCount(0, found.length()) <= LONGEST_NAME
                ? found
                : found.substring(0, found.offsetByCodePoints(0, LONGEST_NAME));
    }

    /**
     * The roles in a claim: texts in a list, or a single text.
     *
     * @param claim its name; where there is none of that name, dots lead into objects
     */
    List<String> roles(String claim) {
        JsonValue found = all.containsKey(claim) ? all.get(claim) : within(all, claim);
        Stream<JsonValue> values =
                found instanceof JsonArray array ? array.stream() : Stream.ofNullable(found);
        return values.filter(JsonString.class::isInstance)
                .map(value -> ((JsonString) value).getString())
                .distinct()
                .limit(MOST_ROLES)
                .toList();
    }

    private static JsonValue within(JsonObject object, String path) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            return object.get(path);
        }
        return object.get(path.substring(0, dot)) instanceof JsonObject inner
                ? within(inner, path.substring(dot + 1))
                : null;
    }

    private static Optional<String> text(JsonObject object, String claim) {
        return object.get(claim) instanceof JsonString text
                ? Optional.of(text.getString())
                : Optional.empty();
    }

    private static String tidy(String text) {
        return text.replaceAll("\\p{Cntrl}", " ").strip();
    }

    @Override
    public String toString() {
        return "the claims of " + subject();
    }
}
