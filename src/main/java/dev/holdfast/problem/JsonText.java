package dev.holdfast.problem;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.stream.JsonParsingException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * What the bytes of a JSON text from outside must be before JSON-B may see them.
 *
 * <p>The walk over all of it is not for the sake of the message: the server's parser never returns
 * from skipping an unknown member that the text ends in ({@code {"a":[1}), so one such text would
 * hold a thread for good.
 */
public final class JsonText {
    private static final String NUL_ESCAPE = "\\u0000";

    private JsonText() {}

    /**
     * Refuses what is too long, not UTF-8, not well-formed, too deep or holds a NUL; nothing but
     * blanks is let through, as a body that is not there.
     *
     * @return the same bytes
     */
    public static byte[] checked(byte[] body, int limit) {
        if (body.length > limit) {
            throw tooLarge(limit);
        }
        // Java's readers would put U+FFFD in place of bad bytes and go on.
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
        } catch (CharacterCodingException e) {
            throw new Problem(Reason.INVALID_PARAMETER, "The body is not valid UTF-8.", e);
        }
        if (hasNul(text)) {
            throw new Problem(
                    Reason.INVALID_PARAMETER, "The body holds a NUL character (\\u0000).");
        }
        if (!text.isBlank()) {
            walk(text);
        }
        return body;
    }

    private static void walk(String text) {
        try (var parser = Json.createParser(new StringReader(text))) {
            while (parser.hasNext()) {
                parser.next();
            }
        } catch (JsonParsingException e) {
            var at = e.getLocation();
            throw new Problem(
                    Reason.INVALID_PARAMETER,
                    "The body is not valid JSON: line %d, column %d."
                            .formatted(at.getLineNumber(), at.getColumnNumber()),
                    e);
        } catch (JsonException e) {
            throw new Problem(Reason.INVALID_PARAMETER, "The body is not valid JSON.", e);
        } catch (RuntimeException e) {
            // The parser's own bound is a bare RuntimeException.
            throw new Problem(Reason.INVALID_PARAMETER, "The body is nested too deep.", e);
        }
    }

    static Problem tooLarge(int limit) {
        return new Problem(
                        Reason.BODY_TOO_LARGE,
                        "The body is larger than the %d bytes taken here.".formatted(limit))
                .with("limit", limit);
    }

    private static boolean hasNul(String text) {
        for (int at = text.indexOf(NUL_ESCAPE); at >= 0; at = text.indexOf(NUL_ESCAPE, at + 1)) {
            int backslashes = 1;
            while (at - backslashes >= 0 && text.charAt(at - backslashes) == '\\') {
                backslashes++;
            }
            // An even number is that many halves of escaped backslashes, then plain letters.
            if (backslashes % 2 == 1) {
                return true;
            }
        }
        return false;
    }
}
