package dev.holdfast.hop;

import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Set;

/**
 * Another node, as this one speaks to it.
 *
 * @param worker its worker's ID
 * @param incarnation the number under which its process renews the worker's lease
 * @param address resolved already: names are not looked up where nobody may wait
 * @param certificates the SHA-256 of the certificates it may show
 */
public record Peer(
        String worker, long incarnation, InetSocketAddress address, Set<String> certificates) {

    public Peer {
        Objects.requireNonNull(worker);
        certificates = Set.copyOf(certificates);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(address + " is no address of a node");
        }
    }
}
