package dev.holdfast.problem;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** What the bytes of a JSON body must be, whatever JSON is in them. */
final class JsonText {
    private static final String NUL_ESCAPE = "\\u0000";

    private JsonText() {}

    /**
     * @return the same bytes
     */
    static byte[] checked(byte[] body, int limit) {
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
        return body;
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
