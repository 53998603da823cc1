package dev.holdfast.runtime;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a machine may reach outside. Allowed goes before denied; private ranges, the host and other
 * machines are closed whatever is said here.
 *
 * @param open whether it may reach what no list mentions, and resolve every name
 * @param allow addresses it may reach
 * @param deny addresses it may not reach unless they are allowed
 * @param names host names in lower case that it may resolve and reach, with {@code *.} in front for
 *     every name below; only where it is not open
 */
public record Egress(boolean open, List<Range> allow, List<Range> deny, List<String> names) {

    public static final Egress EVERYTHING = new Egress(true, List.of(), List.of(), List.of());
    public static final Egress NOTHING = new Egress(false, List.of(), List.of(), List.of());

    private static final Pattern NAME = Pattern.compile("(\\*\\.)?[a-z0-9_]([a-z0-9_.-]{0,252})");

    /** A block of IPv4 addresses, first and last as numbers from 0 to 2^32 - 1. */
    public record Range(long first, long last) {
        private static final long ALL = (1L << 32) - 1;

        public Range {
            if (first < 0 || last > ALL || first > last) {
                throw new IllegalArgumentException("Not a block of addresses");
            }
        }

        @Override
        public String toString() {
            return first == last ? dotted(first) : dotted(first) + "-" + dotted(last);
        }

        private static String dotted(long address) {
            return (address >> 24)
                    + "."
                    + (address >> 16 & 255)
                    + "."
                    + (address >> 8 & 255)
                    + "."
                    + (address & 255);
        }
    }

    public Egress {
        allow = merged(allow);
        deny = merged(deny);
        names = names.stream().distinct().sorted().toList();
        if (open && !names.isEmpty()) {
            throw new IllegalArgumentException("Names are a list of exceptions to a closed egress");
        }
        for (String name : names) {
            // They become words of a command line and of rules.
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("Not a host name: " + name);
            }
        }
    }

    /** Whether nothing at all may be reached. */
    boolean isNothing() {
        return !open && allow.isEmpty() && names.isEmpty();
    }

    /** What nft takes: it refuses blocks that overlap, and callers write what they like. */
    private static List<Range> merged(Collection<Range> given) {
        var merged = new ArrayList<Range>();
        for (Range next : given.stream().sorted(Comparator.comparingLong(Range::first)).toList()) {
            Range last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            if (last != null && next.first() <= last.last() + 1) {
                long end = Math.max(last.last(), next.last());
                merged.set(merged.size() - 1, new Range(last.first(), end));
            } else {
                merged.add(next);
            }
        }
        return List.copyOf(merged);
    }
}
