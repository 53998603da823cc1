package dev.holdfast.webhook;

import dev.holdfast.audit.AddressBlock;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * Which addresses deliveries may go to: whoever names an endpoint must not reach through this
 * server what only this server can reach.
 *
 * @param allowed what the operator allows besides
 */
record Reach(List<AddressBlock> allowed) {

    /** This host and network, private, shared, link-local, benchmark, multicast and reserved. */
    private static final List<AddressBlock> INSIDE =
            AddressBlock.list(
                    "0.0.0.0/8,10.0.0.0/8,100.64.0.0/10,127.0.0.0/8,169.254.0.0/16,172.16.0.0/12,"
                            + "192.0.0.0/24,192.168.0.0/16,198.18.0.0/15,224.0.0.0/4,240.0.0.0/4,"
                            + "::/128,::1/128,fc00::/7,fe80::/10,fec0::/10,ff00::/8,100::/64,"
                            + "2001::/23,64:ff9b:1::/48,::ffff:0:0:0/96");

    /** Addresses that carry an IPv4 address, which is what counts, with where it begins. */
    private enum Carrier {
        COMPATIBLE("::/96", 12),
        TRANSLATED("64:ff9b::/96", 12),
        SIX_TO_FOUR("2002::/16", 2);

        private final AddressBlock block;
        private final int offset;

        Carrier(String block, int offset) {
            this.block = AddressBlock.of(block);
            this.offset = offset;
        }
    }

    boolean allows(InetAddress address) {
        if (allowed.stream().anyMatch(block -> block.contains(address))) {
            return true;
        }
        return INSIDE.stream().noneMatch(block -> block.contains(address))
                && Arrays.stream(Carrier.values())
                        .filter(carrier -> carrier.block.contains(address))
                        .allMatch(carrier -> allows(carried(address, carrier.offset)));
    }

    private static InetAddress carried(InetAddress address, int offset) {
        try {
            return InetAddress.getByAddress(
                    Arrays.copyOfRange(address.getAddress(), offset, offset + 4));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }
}
