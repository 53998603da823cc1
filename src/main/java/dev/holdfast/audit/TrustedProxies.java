package dev.holdfast.audit;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The proxies whose word on where a request came from is believed. A caller can write any {@code
 * X-Forwarded-For}; each proxy adds the address it saw to the end, so the last one that no trusted
 * proxy has is the caller's.
 */
final class TrustedProxies {
    private static final String OCTET = "(25[0-5]|2[0-4]\\d|[01]?\\d?\\d)";
    private static final Pattern ADDRESS =
            Pattern.compile(OCTET + "(\\." + OCTET + "){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final int MOST_HOPS = 20;

    private record Range(byte[] network, int bits) {
        boolean holds(InetAddress address) {
            byte[] other = address.getAddress();
            if (other.length != network.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> bit % 8;
                if ((network[bit / 8] & mask) != (other[bit / 8] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    private final List<Range> ranges;

    private TrustedProxies(List<Range> ranges) {
        this.ranges = ranges;
    }

    /**
     * @param list addresses or address/bits, with commas between; may be empty
     * @throws IllegalArgumentException for anything else
     */
    static TrustedProxies read(String list) {
        return new TrustedProxies(
                Arrays.stream(list.split(","))
                        .map(String::strip)
                        .filter(each -> !each.isEmpty())
                        .map(TrustedProxies::range)
                        .toList());
    }

    /**
     * Where a request came from.
     *
     * @param peer the address at the other end of the connection
     * @param forwardedFor the header as it came, or null
     */
    String origin(String peer, String forwardedFor) {
        String last = peer;
        if (forwardedFor == null) {
            return last;
        }
        String[] hops = forwardedFor.split(",", -1);
        for (int i = hops.length - 1; i >= Math.max(0, hops.length - MOST_HOPS); i--) {
            String hop = hops[i].strip();
            if (!isTrusted(last) || !isAddress(hop)) {
                return last;
            }
            last = hop;
        }
        return last;
    }

    private boolean isTrusted(String text) {
        if (ranges.isEmpty() || !isAddress(text)) {
            return false;
        }
        InetAddress address = address(text);
        return ranges.stream().anyMatch(range -> range.holds(address));
    }

    private static boolean isAddress(String text) {
        try {
            address(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Range range(String text) {
        String[] parts = text.split("/", -1);
        byte[] network = address(parts[0]).getAddress();
        int most = network.length * 8;
        if (parts.length == 1) {
            return new Range(network, most);
        }
        if (parts.length != 2
                || !parts[1].matches("\\d{1,3}")
                || Integer.parseInt(parts[1]) > most) {
            throw new IllegalArgumentException(
                    "A trusted proxy is an address or address/bits, not \"" + text + "\"");
        }
        return new Range(network, Integer.parseInt(parts[1]));
    }

    /** Literals only, or a name from outside would be looked up. */
    private static InetAddress address(String text) {
        if (ADDRESS.matcher(text).matches()) {
            try {
                return InetAddress.getByName(text);
            } catch (UnknownHostException e) {
                // refused below like what is no address at first sight
            }
        }
        throw new IllegalArgumentException("Not an address: \"" + text + "\"");
    }
}
