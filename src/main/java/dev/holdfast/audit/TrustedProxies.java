package dev.holdfast.audit;

import java.util.List;

/**
 * The proxies whose word on where a request came from is believed. A caller can write any {@code
 * X-Forwarded-For}; each proxy adds the address it saw to the end, so the last one that no trusted
 * proxy has is the caller's.
 */
final class TrustedProxies {
    private static final int MOST_HOPS = 20;

    private final List<AddressBlock> blocks;

    private TrustedProxies(List<AddressBlock> blocks) {
        this.blocks = blocks;
    }

    /**
     * @param list addresses or address/bits, with commas between; may be empty
     * @throws IllegalArgumentException for anything else
     */
    static TrustedProxies read(String list) {
        return new TrustedProxies(AddressBlock.list(list));
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
            if (!isTrusted(last) || AddressBlock.address(hop).isEmpty()) {
                return last;
            }
            last = hop;
        }
        return last;
    }

    /**
     * Whether the browser came by TLS.
     *
     * @param peer the address at the other end of the connection
     * @param forwardedProto the header as it came, or null; of several proxies the first spoke with
     *     the browser
     */
    boolean isTls(String peer, String forwardedProto) {
        return forwardedProto != null
                && isTrusted(peer)
                && forwardedProto.split(",", 2)[0].strip().equalsIgnoreCase("https");
    }

    private boolean isTrusted(String text) {
        return AddressBlock.address(text)
                .filter(address -> blocks.stream().anyMatch(block -> block.contains(address)))
                .isPresent();
    }
}
