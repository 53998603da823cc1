package dev.holdfast.problem;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/** A text that a caller is handed to give back, and not to read or to make up. */
public final class Token {
    private static final int DIGEST_BYTES = 8;

    private Token() {}

    public static String of(String text) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** What a token can hold of a text that is too long for one, to tell it from others by. */
    public static String digest(String text) {
        try {
            byte[] sum =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
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
