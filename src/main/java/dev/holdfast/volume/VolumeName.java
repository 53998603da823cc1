package dev.holdfast.volume;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.util.regex.Pattern;

/**
 * What a project calls a volume. Capitals count, because clients look for the name that they gave.
 * Never of the form of an ID, so that neither hides the other.
 */
public record VolumeName(String value) {

    public static final String SHAPE = "[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}";

    private static final Pattern PATTERN = Pattern.compile(SHAPE);

    public VolumeName {
        if (value == null
                || !PATTERN.matcher(value).matches()
                || VolumeId.parse(value).isPresent()) {
            throw new Problem(
                    Reason.MALFORMED_NAME,
                    "A volume's name is 1 to 64 of a-z, A-Z, 0-9, _ and -, begins with a letter or"
                            + " a digit, and is no UUID.");
        }
    }

    /** Blanks around it mean nothing. */
    public static VolumeName of(String written) {
        return new VolumeName(written == null ? null : written.strip());
    }

    @Override
    public String toString() {
        return value;
    }
}
