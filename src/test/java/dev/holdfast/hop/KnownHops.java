package dev.holdfast.hop;

import dev.holdfast.database.Secrets;
import dev.holdfast.sandbox.SandboxId;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Nodes that share a secret which the test knows, without a database. */
public final class KnownHops {

    private KnownHops() {}

    public static Hops of(byte[] secret, String node, Clock clock) {
        return new Hops(
                new Secrets() {
                    @Override
                    public byte[] tokenSecret() {
                        return secret.clone();
                    }
                },
                node,
                clock);
    }

    /** Knows one peer, for every sandbox; until it is told to forget. */
    public static final class OnePeer extends Peers {

        private final AtomicReference<Peer> peer = new AtomicReference<>();

        public void know(Peer known) {
            peer.set(known);
        }

        @Override
        public Optional<Peer> known(SandboxId id) {
            return Optional.ofNullable(peer.get());
        }

        @Override
        public void forget(SandboxId id) {
            peer.set(null);
        }
    }
}
