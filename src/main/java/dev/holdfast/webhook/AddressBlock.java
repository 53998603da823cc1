package dev.holdfast.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * A block of addresses of either kind, such as {@code 10.0.0.0/8} or {@code fc00::/7}.
 *
 * @param prefix how many of the first bits are the block's
 */
record AddressBlock(InetAddress first, int prefix) {

    AddressBlock {
        if (prefix < 0 || prefix > first.getAddress().length * 8) {
            throw new IllegalArgumentException(prefix + " bits are too many for " + first);
        }
    }

    /** Never asks a name server: an address is written in digits. */
    static AddressBlock of(String text) {
        String[] parts = text.strip().split("/", -1);
        if (parts.length > 2 || !parts[0].matches("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
            throw new IllegalArgumentException("\"" + text + "\" is no address or address/bits");
        }
        try {
            InetAddress address = InetAddress.getByName(parts[0]);
            int prefix =
                    parts.length == 2
                            ? Integer.parseInt(parts[1])
                            : address.getAddress().length * 8;
            return new AddressBlock(address, prefix);
        } catch (UnknownHostException | NumberFormatException e) {
            throw new IllegalArgumentException("\"" + text + "\" is no address or address/bits", e);
        }
    }

    /** With commas between. */
    static List<AddressBlock> list(String text) {
        return Arrays.stream(text.split(","))
                .filter(each -> !each.isBlank())
                .map(AddressBlock::of)
                .toList();
    }

    boolean contains(InetAddress address) {
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
