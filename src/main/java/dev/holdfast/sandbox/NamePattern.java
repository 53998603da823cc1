package dev.holdfast.sandbox;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A host name, or with a leading {@code *.} every name below it at any depth, but not itself.
 *
 * @param text in lower case
 */
public record NamePattern(String text) {

    private static final String LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";

    /** The last label is no number: what looks like an address and is none is no name either. */
    private static final Pattern NAME =
            Pattern.compile("(?:\\*\\.)?(?:" + LABEL + "\\.)*(?!\\d+$)" + LABEL);

    private static final int LONGEST = 253;

    public NamePattern {
        if (!NAME.matcher(text).matches() || text.length() > LONGEST) {
            throw new IllegalArgumentException("not a host name");
        }
    }

    public static Optional<NamePattern> of(String text) {
        String name = text.toLowerCase(Locale.ROOT);
        return NAME.matcher(name).matches() && name.length() <= LONGEST
                ? Optional.of(new NamePattern(name))
                : Optional.empty();
    }

    public boolean matches(String name) {
        String asked = name.toLowerCase(Locale.ROOT);
        return text.startsWith("*.") ? asked.endsWith(text.substring(1)) : asked.equals(text);
    }
}
