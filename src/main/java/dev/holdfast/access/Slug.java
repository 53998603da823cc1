package dev.holdfast.access;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.util.Optional;
import java.util.regex.Pattern;

/** A project's name in qualified snapshot names: the part before the slash. */
public record Slug(String value) {
    private static final Pattern FORM = Pattern.compile("[a-z0-9_-]{1,128}");

    public Slug {
        if (value == null || !FORM.matcher(value).matches()) {
            throw new Problem(
                    Reason.MALFORMED_NAME,
                    "A project's slug is 1 to 128 of a-z, 0-9, '_' and '-'.");
        }
    }

    /** Empty if the text is none, so that no project can have it. */
    static Optional<Slug> read(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new Slug(text)) : Optional.empty();
    }

    @Override
    public String toString() {
        return value;
    }
}
