package dev.holdfast.fleet;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the other nodes reach a worker's HTTPS listener.
 *
 * @param host a host name or an IP address, one of version 6 in brackets
 * @param certificates the SHA-256 of each certificate that the listener may show, in lower-case hex
 */
public record Address(String host, int port, List<String> certificates) {

    private static final Pattern PLACE =
            Pattern.compile(
                    "([A-Za-z0-9][A-Za-z0-9._-]{0,252}|\\[[0-9A-Fa-f:.]{2,45}\\]):(\\d{1,5})");

    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    public Address {
        certificates = List.copyOf(certificates);
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("a port is a number from 1 to 65535");
        }
        if (certificates.isEmpty() || !certificates.stream().allMatch(Address::isDigest)) {
            throw new IllegalArgumentException("an address is proved by SHA-256 digests");
        }
    }

    /**
     * Of {@code HOST:PORT}, which must not be a wildcard or be left to the reader to complete.
     *
     * @throws IllegalArgumentException in words
     */
    public static Address of(String place, List<String> certificates) {
        Matcher parts = PLACE.matcher(place);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "an address of a worker is HOST:PORT, where the other nodes reach its HTTPS"
                            + " listener; this is none: "
                            + place);
        }
        return new Address(parts.group(1), Integer.parseInt(parts.group(2)), certificates);
    }

    private static boolean isDigest(String text) {
        return DIGEST.matcher(text).matches();
    }

    /** As {@link #of} reads it. */
    public String place() {
        return host + ":" + port;
    }
}
