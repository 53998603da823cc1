package dev.holdfast.runtime;

import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names one machine for its whole life. All have the same length, because runsc finds a machine by
 * any prefix of its name: with names of different lengths a missing one would silently hit another.
 */
public record MachineId(String value) {
    private static final Pattern SHAPE = Pattern.compile("r[a-z0-9]{20}");
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final SecureRandom RANDOM = new SecureRandom();

    public MachineId {
        if (value == null || !SHAPE.matcher(value).matches()) {
            throw new IllegalArgumentException("A machine ID is r and 20 of a-z0-9");
        }
    }

    public static MachineId random() {
        var text = new StringBuilder("r");
        for (int i = 0; i < 20; i++) {
            text.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
        }
        return new MachineId(text.toString());
    }

    /** Empty for any text that is not a machine ID. */
    static Optional<MachineId> of(String text) {
        return SHAPE.matcher(text).matches() ? Optional.of(new MachineId(text)) : Optional.empty();
    }

    @Override
    public String toString() {
        return value;
    }
}
