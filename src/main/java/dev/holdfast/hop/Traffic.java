package dev.holdfast.hop;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is under way to one peer, and for whom. One may have as many connections as are left over
 * for all others: so whoever comes with the first finds room, however much the others want.
 */
final class Traffic {

    private final int most;
    private final Set<Relay> relays = new HashSet<>();
    private final Map<Way.Share, Integer> shares = new HashMap<>();

    Traffic(int most) {
        this.most = most;
    }

    /** False where those for whom it is asked have their share. */
    synchronized boolean admit(Relay relay) {
        int own = shares.getOrDefault(relay.share(), 0);
        boolean admitted = own < most - relays.size();
        if (admitted && relays.add(relay)) {
            shares.put(relay.share(), own + 1);
        }
        return admitted;
    }

    /** It needs no connection any more; to say so again does nothing. */
    synchronized void dismiss(Relay relay) {
        if (relays.remove(relay)) {
            shares.computeIfPresent(relay.share(), (share, n) -> n == 1 ? null : n - 1);
        }
    }

    synchronized List<Relay> all() {
        return List.copyOf(relays);
    }
}
