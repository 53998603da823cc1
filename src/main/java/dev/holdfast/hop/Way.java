package dev.holdfast.hop;

import java.util.Objects;

/**
 * Where something is on another node.
 *
 * @param whose what it is: of the connections to that node all that go there have one share
 */
public record Way(Peer peer, Object whose) {

    public Way {
        Objects.requireNonNull(peer);
        Objects.requireNonNull(whose);
    }
}
