package dev.holdfast.hop;

import dev.holdfast.fleet.Address;
import dev.holdfast.fleet.Worker;
import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * Another node, as this one speaks to it.
 *
 * @param worker its worker's ID
 * @param incarnation the number under which its process renews the worker's lease
 * @param row where its row says that it is, and what it shows there
 * @param address the same, resolved already: names are not looked up where nobody may wait
 */
public record Peer(String worker, long incarnation, Address row, InetSocketAddress address) {

    public Peer {
        Objects.requireNonNull(worker);
        Objects.requireNonNull(row);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(address + " is no address of a node");
        }
    }

    /** Whether a worker is this very process, at this place and with these certificates. */
    boolean is(Worker other) {
        return worker.equals(other.id())
                && incarnation == other.incarnation()
                && other.address().filter(row::equals).isPresent();
    }
}
