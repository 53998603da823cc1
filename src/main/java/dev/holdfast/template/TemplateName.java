package dev.holdfast.template;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/** What a project calls a template. Never of the form of an ID, so that neither hides the other. */
public record TemplateName(String value) {

    private static final Pattern SHAPE = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");

    public TemplateName {
        if (value == null || !SHAPE.matcher(value).matches() || isId(value)) {
            throw new Problem(
                    Reason.MALFORMED_NAME,
                    "A template's name is 1 to 64 of a-z, 0-9, _ and -, begins with a letter or a"
                            + " digit, and is no UUID.");
        }
    }

    /** As a person writes it: blanks around it and capitals mean nothing. */
    public static TemplateName of(String written) {
        return new TemplateName(written == null ? null : written.strip().toLowerCase(Locale.ROOT));
    }

    private static boolean isId(String text) {
        try {
            return UUID.fromString(text).toString().equals(text);
        } catch (IllegalArgumentException other) {
            return false;
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
