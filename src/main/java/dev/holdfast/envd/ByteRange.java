package dev.holdfast.envd;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of a file that a client asks for (RFC 9110).
 *
 * @param offset from the beginning, or below zero from the end
 * @param length at most so many bytes
 */
record ByteRange(long offset, long length) {

    private static final Pattern SINGLE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

    /** Empty for what asks for everything: no range, several, another unit, or nonsense. */
    static Optional<ByteRange> of(String header) {
        Matcher single = SINGLE.matcher(header == null ? "" : header.replace(" ", ""));
        if (!single.matches()) {
            return Optional.empty();
        }
        String first = single.group(1);
        String last = single.group(2);
        if (first.isEmpty()) {
            return last.isEmpty() ? Optional.empty() : Optional.of(suffix(Long.parseLong(last)));
        }
        long from = Long.parseLong(first);
        long to = last.isEmpty() ? Long.MAX_VALUE - 1 : Long.parseLong(last);
        return to < from ? Optional.empty() : Optional.of(new ByteRange(from, to - from + 1));
    }

    private static ByteRange suffix(long length) {
        return new ByteRange(length == 0 ? Long.MAX_VALUE / 2 : -length, length);
    }

    /** Where it begins in a file of that size. */
    long start(long size) {
        return offset >= 0 ? offset : Math.max(0, size + offset);
    }
}
