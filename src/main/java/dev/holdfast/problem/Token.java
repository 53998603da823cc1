package dev.holdfast.problem;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** A text that a caller is handed to give back, and not to read or to make up. */
public final class Token {

    private Token() {}

    public static String of(String text) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The text; empty for what was never a token. */
    public static Optional<String> read(String token) {
        try {
            return Optional.of(
                    new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
