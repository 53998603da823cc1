package dev.holdfast.sandbox;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of IPv4 addresses.
 *
 * @param first the lowest address as a number from 0 to 2^32 - 1
 * @param last the highest address, itself in the block
 */
public record AddressRange(long first, long last) {

    private static final long ALL = (1L << 32) - 1;
    private static final String BYTE = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final Pattern BLOCK =
            Pattern.compile(BYTE + "\\." + BYTE + "\\." + BYTE + "\\." + BYTE + "(?:/(\\d{1,2}))?");

    public AddressRange {
        if (first < 0 || last > ALL || first > last) {
            throw new IllegalArgumentException("not a block of addresses");
        }
    }

    /** Reads an address or a block such as {@code 8.8.8.0/24}; what stands behind is ignored. */
    public static Optional<AddressRange> of(String text) {
        Matcher block = BLOCK.matcher(text);
        if (!block.matches()) {
            return Optional.empty();
        }
        long address = 0;
        for (int i = 1; i <= 4; i++) {
            address = address << 8 | Long.parseLong(block.group(i));
        }
        int prefix = block.group(5) == null ? 32 : Integer.parseInt(block.group(5));
        if (prefix > 32) {
            return Optional.empty();
        }
        long hosts = ALL >> prefix;
        return Optional.of(new AddressRange(address & ~hosts, address | hosts));
    }

    public boolean contains(AddressRange other) {
        return first <= other.first && other.last <= last;
    }

    public boolean isEverything() {
        return first == 0 && last == ALL;
    }
}
