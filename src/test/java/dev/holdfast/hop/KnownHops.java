package dev.holdfast.hop;

import dev.holdfast.database.Secrets;
import dev.holdfast.fleet.Workers;
import dev.holdfast.sandbox.SandboxId;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
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

    /**
     * @param most connections to one peer
     */
    public static Wires wires(Hops hops, Workers workers, int most) {
        return new Wires(hops, workers, most);
    }

    /** What is done every five seconds. */
    public static void look(Wires wires) {
        wires.look();
    }

    /** Knows one peer, for every sandbox and volume; until it is told to forget. */
    public static final class OnePeer extends Peers {

        private final AtomicReference<Peer> peer = new AtomicReference<>();
        private final AtomicInteger asked = new AtomicInteger();
        private volatile boolean alone;

        public void know(Peer known) {
            peer.set(known);
        }

        @Override
        public Optional<Peer> known(SandboxId id) {
            return Optional.ofNullable(peer.get());
        }

        @Override
        public Optional<Way> ofVolume(String project, String reference) {
            return Optional.ofNullable(peer.get())
                    .map(each -> new Way(each, new Way.Share(reference)));
        }

        @Override
        public boolean knowsNobody() {
            return alone;
        }

        @Override
        public boolean findsNobody() {
            asked.incrementAndGet();
            alone = peer.get() == null;
            return alone;
        }

        /** How often others were looked for. */
        public int asked() {
            return asked.get();
        }

        @Override
        public void forget(SandboxId id) {
            peer.set(null);
        }
    }
}
