package dev.holdfast.console;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/** What the browser shows for a person who is signed in: 32 random bytes as base64url. */
public record SignInSecret(String value) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{43}");
    private static final int BYTES = 32;
    private static final String TOKEN_OF = "csrf ";

    public SignInSecret {
        if (value == null || !FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("The secret of a sign-in is 43 of base64url");
        }
    }

    static Optional<SignInSecret> read(String text) {
        return text != null && FORM.matcher(text).matches()
                ? Optional.of(new SignInSecret(text))
                : Optional.empty();
    }

    static SignInSecret random(SecureRandom random) {
        var bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new SignInSecret(text(bytes));
    }

    byte[] sha256() {
        return digest(value);
    }

    /** What the page sends with changes, to show that it could read an answer of ours. */
    String token() {
        return text(digest(TOKEN_OF + value));
    }

    boolean isToken(String shown) {
        return shown != null && MessageDigest.isEqual(ascii(token()), ascii(shown));
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(ascii(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public String toString() {
        return "a sign-in's secret";
    }
}
