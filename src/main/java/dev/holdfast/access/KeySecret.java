package dev.holdfast.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a caller shows: {@code e2b_} and 40 lower-case hexadecimal digits. The E2B SDKs check that
 * grammar before they send anything, so it is not ours to choose.
 */
public record KeySecret(String value) {
    private static final Pattern FORM = Pattern.compile("e2b_[0-9a-f]{40}");
    private static final int RANDOM_BYTES = 20;
    private static final int SHOWN_BEGINNING = 8;
    private static final int SHOWN_END = 4;

    public KeySecret {
        if (value == null || !FORM.matcher(value).matches()) {
            // Not even a wrong one is repeated: it may be a right one with a letter too many.
            throw new IllegalArgumentException(
                    "An API key is e2b_ followed by 40 lower-case hexadecimal digits");
        }
    }

    /** Empty if the text is no key at all. */
    public static Optional<KeySecret> read(String text) {
        return text != null && FORM.matcher(text).matches()
                ? Optional.of(new KeySecret(text))
                : Optional.empty();
    }

    static KeySecret random(SecureRandom random) {
        var bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return new KeySecret("e2b_" + HexFormat.of().formatHex(bytes));
    }

    byte[] sha256() {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(value.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** Enough to tell keys apart, far too little to guess one: 128 bits stay hidden. */
    String beginning() {
        return value.substring(0, SHOWN_BEGINNING);
    }

    String end() {
        return value.substring(value.length() - SHOWN_END);
    }

    @Override
    public String toString() {
        return beginning() + "..." + end();
    }
}
