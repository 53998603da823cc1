package dev.holdfast.hop;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a node says of a request that it passes on.
 *
 * @param node who passes it on
 * @param at when, by that node's clock
 * @param client the address it came from, as that node saw it
 * @param scheme {@code http} or {@code https}, as that node saw it
 */
public record Hop(String node, Instant at, InetAddress client, String scheme) {

    private static final String VERSION = "1";

    private static final String OCTET = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";

    /** Nothing that could be a name, which the resolver would be asked for. */
    private static final String ADDRESS =
            OCTET + "(?:\\." + OCTET + "){3}|(?=[0-9a-f]*:)[0-9a-f:]{2,39}";

    private static final Pattern FORM =
            Pattern.compile(
                    VERSION
                            + ";([\\x21-\\x3a\\x3c-\\x7e]{1,64});(\\d{1,12});("
                            + ADDRESS
                            + ");(https?)");

    public Hop {
        Objects.requireNonNull(node);
        Objects.requireNonNull(at);
        Objects.requireNonNull(client);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException("a request comes by http or https");
        }
    }

    /** Of what {@link #text} wrote; empty for anything else. */
    static Optional<Hop> read(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new Hop(
                            parts.group(1),
                            Instant.ofEpochSecond(Long.parseLong(parts.group(2))),
                            InetAddress.getByName(parts.group(3)), // no name, so nobody is asked
                            parts.group(4)));
        } catch (UnknownHostException notAnAddress) {
            return Optional.empty();
        }
    }

    /** For a header: no part of it comes from the request but an address and a word. */
    String text() {
        String address = client.getHostAddress();
        int zone = address.indexOf('%'); // of a link here, which is none on the other node
        return String.join(
                ";",
                VERSION,
                node,
                Long.toString(at.getEpochSecond()),
                zone < 0 ? address : address.substring(0, zone),
                scheme);
    }
}
