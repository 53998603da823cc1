package dev.holdfast.retention;

import dev.holdfast.problem.Problem;
import dev.holdfast.snapshot.SnapshotName;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Names with a star for any characters and a question mark for one. Without a colon it is about the
 * short name, whatever its tag.
 */
public record NamePattern(String text) {

    private static final Pattern ALLOWED = Pattern.compile("[a-z0-9_.*?:-]{1,256}");

    /**
     * @throws Problem {@code invalid_parameter}
     */
    public NamePattern {
        text = text.strip().toLowerCase(Locale.ROOT);
        if (!ALLOWED.matcher(text).matches() || text.indexOf(':') != text.lastIndexOf(':')) {
            throw Problem.invalid(
                    "name",
                    "A name pattern is short or short:tag of a snapshot's name, without the slug,"
                            + " with * for any characters and ? for one.");
        }
    }

    boolean matches(SnapshotName name) {
        return matches(text, text.indexOf(':') < 0 ? name.shortName() : name.toString());
    }

    /** A star that fits too little is tried one further, and only the last one: never worse. */
    private static boolean matches(String pattern, String name) {
        int at = 0;
        int star = -1;
        int tried = 0;
        int i = 0;
        while (i < name.length()) {
            char wanted = at < pattern.length() ? pattern.charAt(at) : '\0';
            if (wanted == '*') {
                star = at++;
                tried = i;
            } else if (wanted == '?' || wanted == name.charAt(i)) {
                at++;
                i++;
            } else if (star >= 0) {
                at = star + 1;
                i = ++tried;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }

    @Override
    public String toString() {
        return text;
    }
}
