package dev.holdfast.sandbox;

import dev.holdfast.problem.Problem;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a sandbox may reach, and who may reach its ports. Of two entries that meet the same address
 * the one that allows wins. Whatever a policy says, private ranges, the host and other sandboxes
 * stay closed, and so does IPv6.
 *
 * @param internet empty when nobody said; {@code false} denies what no entry allows
 * @param allowOut addresses, blocks of addresses, host names and {@code *.} patterns, as they were
 *     written
 * @param denyOut addresses and blocks of addresses, as they were written
 * @param publicTraffic whether user ports answer without the traffic token
 * @param requestHost what programs on user ports see as their host; {@code ${PORT}} stands for the
 *     port
 */
public record NetworkPolicy(
        Optional<Boolean> internet,
        List<String> allowOut,
        List<String> denyOut,
        boolean publicTraffic,
        Optional<String> requestHost) {

    /** Everything outside, ports for everybody: what a fresh sandbox has unless told otherwise. */
    public static final NetworkPolicy DEFAULT =
            new NetworkPolicy(Optional.empty(), List.of(), List.of(), true, Optional.empty());

    static final String PORT = "${PORT}";

    private static final int MOST_ENTRIES = 256;
    private static final int LONGEST_ENTRY = 255;
    private static final Pattern HOST =
            Pattern.compile(
                    "(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252})|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?");

    private static final Pattern IPV6 =
            Pattern.compile("([0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)(?:/(\\d{1,3}))?");

    /** Whether a destination may be reached, and which entry says so. */
    public record Verdict(boolean allowed, String reason) {}

    public NetworkPolicy {
        Objects.requireNonNull(internet);
        allowOut = entries("network.allowOut", allowOut);
        denyOut = entries("network.denyOut", denyOut);
        allowOut.forEach(NetworkPolicy::requireAllowable);
        denyOut.forEach(NetworkPolicy::requireDeniable);
        requireEverythingDenied(allowOut, denyOut);
        requestHost = requestHost.filter(host -> !host.isBlank());
        requestHost.ifPresent(NetworkPolicy::requireHost);
    }

    /** The same with another answer to what may be reached; who may reach it stays. */
    public NetworkPolicy withEgressOf(NetworkPolicy other) {
        return new NetworkPolicy(
                other.internet, other.allowOut, other.denyOut, publicTraffic, requestHost);
    }

    /** Whether what no entry mentions may be reached. */
    public boolean isOpen() {
        return internet.orElse(true) && denied().stream().noneMatch(AddressRange::isEverything);
    }

    /** Addresses that may be reached whatever is denied. */
    public List<AddressRange> allowed() {
        return ranges(allowOut);
    }

    /** Addresses that may not be reached unless allowed. */
    public List<AddressRange> denied() {
        return ranges(denyOut);
    }

    /** Names that may be resolved and reached; when there are none, see {@link #isOpen}. */
    public List<NamePattern> names() {
        return allowOut.stream()
                .filter(entry -> AddressRange.of(entry).isEmpty())
                .flatMap(entry -> NamePattern.of(entry).stream())
                .toList();
    }

    /** The host that a program on this port shall see; empty when it sees the caller's own. */
    public Optional<String> requestHost(int port) {
        return requestHost.map(host -> host.replace(PORT, Integer.toString(port)));
    }

    /** Judges an address, a block of addresses or a host name, as far as the entries go. */
    public Verdict verdict(String destination) {
        for (String entry : allowOut) {
            if (meets(entry, destination)) {
                return new Verdict(true, "allowOut has " + entry);
            }
        }
        for (String entry : denyOut) {
            if (meets(entry, destination)
                    || AddressRange.of(entry).filter(AddressRange::isEverything).isPresent()) {
                return new Verdict(false, "denyOut has " + entry);
            }
        }
        return internet.orElse(true)
                ? new Verdict(true, "no entry denies it")
                : new Verdict(false, "internet access is off");
    }

    /** What may be reached, for people. */
    public String words() {
        List<String> exceptions = isOpen() ? denyOut : allowOut;
        String rule = isOpen() ? "everything" : "nothing";
        return exceptions.isEmpty() ? rule : rule + " but " + String.join(", ", exceptions);
    }

    private static boolean meets(String entry, String destination) {
        Optional<AddressRange> address = AddressRange.of(destination);
        Optional<AddressRange> range = AddressRange.of(entry);
        if (address.isPresent()) {
            return range.filter(one -> one.contains(address.get())).isPresent();
        }
        return range.isEmpty()
                && NamePattern.of(entry).filter(name -> name.matches(destination)).isPresent();
    }

    private static List<AddressRange> ranges(List<String> entries) {
        return entries.stream().flatMap(entry -> AddressRange.of(entry).stream()).toList();
    }

    private static List<String> entries(String member, List<String> given) {
        if (given == null) {
            return List.of();
        }
        if (given.size() > MOST_ENTRIES) {
            throw invalid(member, "has at most " + MOST_ENTRIES + " entries");
        }
        List<String> entries = new ArrayList<>();
        for (String entry : given) {
            if (entry == null || entry.length() > LONGEST_ENTRY) {
                throw invalid(member, "has entries of at most " + LONGEST_ENTRY + " characters");
            }
            entries.add(entry);
        }
        return List.copyOf(entries);
    }

    private static void requireAllowable(String entry) {
        if (isIpv6(entry)) {
            throw invalid("network.allowOut", "cannot allow " + entry + ": sandboxes have no IPv6");
        }
        if (AddressRange.of(entry).isEmpty() && NamePattern.of(entry).isEmpty()) {
            throw invalid(
                    "network.allowOut",
                    "has an entry that is neither an IPv4 address, nor a CIDR block, nor a host name,"
                            + " nor \"*.\" with a host name: "
                            + quoted(entry));
        }
    }

    /** IPv6 is denied anyway, so denying some of it asks for nothing that we do not do. */
    private static void requireDeniable(String entry) {
        if (AddressRange.of(entry).isEmpty() && !isIpv6(entry)) {
            String what =
                    NamePattern.of(entry).isPresent()
                            ? "takes addresses and CIDR blocks only; host names cannot be denied: "
                            : "has an entry that is neither an IPv4 address nor a CIDR block: ";
            throw invalid("network.denyOut", what + quoted(entry));
        }
    }

    private static void requireEverythingDenied(List<String> allowOut, List<String> denyOut) {
        boolean names = allowOut.stream().anyMatch(entry -> AddressRange.of(entry).isEmpty());
        if (names && ranges(denyOut).stream().noneMatch(AddressRange::isEverything)) {
            throw invalid(
                    "network.allowOut",
                    "has host names, and these need \"0.0.0.0/0\" in denyOut to block all other"
                            + " traffic");
        }
    }

    private static void requireHost(String host) {
        boolean valid =
                host.length() <= LONGEST_ENTRY
                        && HOST.matcher(host.replace(PORT, "65535")).matches();
        if (!valid) {
            throw invalid(
                    "network.maskRequestHost",
                    "is a host name in ASCII, with a port or without, where "
                            + PORT
                            + " stands for the port asked for; this is none: "
                            + quoted(host));
        }
    }

    private static boolean isIpv6(String entry) {
        Matcher block = IPV6.matcher(entry);
        if (!block.matches() || block.group(2) != null && Integer.parseInt(block.group(2)) > 128) {
            return false;
        }
        try {
            InetAddress.getByName(block.group(1)); // a text with a colon is never looked up
            return true;
        } catch (UnknownHostException malformed) {
            return false;
        }
    }

    private static String quoted(String entry) {
        return "\"" + entry + "\"";
    }

    private static Problem invalid(String member, String rule) {
        return Problem.invalid(member, "\"" + member + "\" " + rule + ".");
    }
}
