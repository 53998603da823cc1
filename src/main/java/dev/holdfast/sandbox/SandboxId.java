package dev.holdfast.sandbox;

import java.security.SecureRandom;
import java.util.regex.Pattern;

/**
 * The identifier of a sandbox: {@code i} and 20 characters of {@code [a-z0-9]}, never used twice.
 * It has no hyphen because it stands in host names behind one ({@code 3000-SANDBOXID.DOMAIN}).
 */
public record SandboxId(String value) {

    private static final Pattern SHAPE = Pattern.compile("[a-z0-9]{1,64}");
    private static final Pattern GIVEN = Pattern.compile("i[a-z0-9]{20}");
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final SecureRandom RANDOM = new SecureRandom();

    public SandboxId {
        if (value == null || !SHAPE.matcher(value).matches()) {
            throw new IllegalArgumentException("a sandbox ID is made of [a-z0-9]");
        }
    }

    public static SandboxId random() {
        StringBuilder id = new StringBuilder(21).append('i');
        for (int i = 0; i < 20; i++) {
            id.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
        }
        return new SandboxId(id.toString());
    }

    /** Whether a caller may ask for an ID: it has the shape of those that are given. */
    public static boolean mayBeChosen(String text) {
        return GIVEN.matcher(text).matches();
    }

    /**
     * Whether a text can be an ID at all; clients append {@code -CLIENTID}, which is cut before.
     */
    public static boolean isWellFormed(String text) {
        return text != null && SHAPE.matcher(text).matches();
    }

    @Override
    public String toString() {
        return value;
    }
}
