package dev.holdfast.audit;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A block of addresses of either kind, such as {@code 10.0.0.0/8} or {@code fc00::/7}.
 *
 * @param prefix how many of the first bits are the block's
 */
public record AddressBlock(InetAddress first, int prefix) {

    private static final String OCTET = "(25[0-5]|2[0-4]\\d|[01]?\\d?\\d)";
    private static final Pattern ADDRESS =
            Pattern.compile(OCTET + "(\\." + OCTET + "){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    public AddressBlock {
        if (prefix < 0 || prefix > first.getAddress().length * 8) {
            throw new IllegalArgumentException(prefix + " bits are too many for " + first);
        }
    }

    /**
     * @throws IllegalArgumentException for what is no address and no address/bits
     */
    public static AddressBlock of(String text) {
        String[] parts = text.strip().split("/", -1);
        InetAddress first =
                address(parts[0])
                        .filter(any -> parts.length <= 2)
                        .orElseThrow(() -> new IllegalArgumentException(no(text)));
        if (parts.length == 1) {
            return new AddressBlock(first, first.getAddress().length * 8);
        }
        if (!parts[1].matches("\\d{1,3}")) {
            throw new IllegalArgumentException(no(text));
        }
        return new AddressBlock(first, Integer.parseInt(parts[1]));
    }

    private static String no(String text) {
        return "\"" + text + "\" is no address or address/bits";
    }

    /** Of what is written in digits only, or a name from outside would be looked up. */
    static Optional<InetAddress> address(String text) {
        try {
            return ADDRESS.matcher(text).matches()
                    ? Optional.of(InetAddress.getByName(text))
                    : Optional.empty();
        } catch (UnknownHostException e) {
            return Optional.empty(); // like what is no address at first sight
        }
    }

    /** With commas between. */
    public static List<AddressBlock> list(String text) {
        return Arrays.stream(text.split(","))
                .filter(each -> !each.isBlank())
                .map(AddressBlock::of)
                .toList();
    }

    public boolean contains(InetAddress address) {
        byte[] own = first.getAddress();
        byte[] other = address.getAddress();
        if (own.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < prefix; bit++) {
            int mask = 0x80 >> bit % 8;
            if ((own[bit / 8] & mask) != (other[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }
}
