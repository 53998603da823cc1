package dev.holdfast.snapshot;

import dev.holdfast.problem.Problem;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What people sort snapshots by: a few keys, each with a text. */
public record Labels(Map<String, String> values) {

    public static final Labels NONE = new Labels(Map.of());

    public static final int MOST = 32;
    public static final int LONGEST_VALUE = 255;

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._/-]{1,63}");

    /**
     * @throws Problem {@code invalid_parameter}
     */
    public Labels {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
        if (values.size() > MOST) {
            throw invalid("A snapshot has at most " + MOST + " labels.");
        }
        values.forEach(Labels::check);
    }

    /**
     * These with changes.
     *
     * @param changes what a key gets; nothing removes it
     */
    public Labels with(Map<String, Optional<String>> changes) {
        Map<String, String> merged = new TreeMap<>(values);
        changes.forEach(
                (key, value) ->
                        value.ifPresentOrElse(
                                text -> merged.put(key, text), () -> merged.remove(key)));
        return new Labels(merged);
    }

    private static void check(String key, String value) {
        if (!KEY.matcher(key).matches()) {
            throw invalid("The key of a label is 1 to 63 of [A-Za-z0-9._/-].");
        }
        if (value == null || value.length() > LONGEST_VALUE || !isPlain(value, false)) {
            throw invalid(
                    "The value of a label is a text of at most "
                            + LONGEST_VALUE
                            + " characters, none of which controls anything.");
        }
    }

    /**
     * Whether a text can be stored and shown as it is.
     *
     * @param lines whether it may have several
     */
    static boolean isPlain(String text, boolean lines) {
        return text.codePoints()
                .noneMatch(
                        each ->
                                Character.isISOControl(each)
                                                && !(lines && (each == '\n' || each == '\t'))
                                        || each >= Character.MIN_SURROGATE
                                                && each <= Character.MAX_SURROGATE);
    }

    private static Problem invalid(String rule) {
        return Problem.invalid("labels", rule);
    }
}
