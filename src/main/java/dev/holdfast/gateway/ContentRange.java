package dev.holdfast.gateway;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One part of a file, as the header {@code Range} asks for it. What is more than one, or not
 * understood, is the whole file, as RFC 9110 allows.
 *
 * @param offset below zero: from the end
 * @param length empty: all behind the offset
 */
public record ContentRange(long offset, Optional<Long> length) {

    public static final ContentRange ALL = new ContentRange(0, Optional.empty());

    private static final Pattern ONE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

    public static ContentRange of(String header) {
        Matcher asked = ONE.matcher(header == null ? "" : header.strip());
        if (!asked.matches() || (asked.group(1).isEmpty() && asked.group(2).isEmpty())) {
            return ALL;
        }
        if (asked.group(1).isEmpty()) {
            long last = Long.parseLong(asked.group(2));
            // The last no bytes are none, and no part.
            return last == 0
                    ? new ContentRange(0, Optional.of(0L))
                    : new ContentRange(-last, Optional.empty());
        }
        long first = Long.parseLong(asked.group(1));
        if (asked.group(2).isEmpty()) {
            return new ContentRange(first, Optional.empty());
        }
        long last = Long.parseLong(asked.group(2));
        return last < first ? ALL : new ContentRange(first, Optional.of(last - first + 1));
    }

    public boolean isAll() {
        return equals(ALL);
    }
}
