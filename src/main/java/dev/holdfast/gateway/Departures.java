package dev.holdfast.gateway;

import dev.holdfast.worker.LiveSandbox;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Who wants to know when a sandbox stops being live. A stage keeps everything that ever hung on it,
 * and requests come and go by the thousand; so one action hangs on it for each sandbox, and the
 * requests hang here, where they can be taken off again.
 */
public final class Departures {

    private static final Logger LOG = Logger.getLogger(Departures.class);

    /** Something that waits; closing it takes it off. */
    public static final class Registration {

        private final Party party;
        private final AtomicBoolean open = new AtomicBoolean(true);
        private final Runnable action;

        private Registration(Party party, Runnable action) {
            this.party = party;
            this.action = action;
        }

        public void close() {
            open.set(false);
            party.waiting.remove(this);
        }

        private void run() {
            if (open.compareAndSet(true, false)) {
                try {
                    action.run();
                } catch (RuntimeException e) {
                    LOG.warn("one of those who waited for a sandbox's end failed", e);
                }
            }
        }
    }

    private static final class Party {
        final Set<Registration> waiting = ConcurrentHashMap.newKeySet();
        final AtomicBoolean watched = new AtomicBoolean();
        volatile boolean over;
    }

    private final ConcurrentMap<LiveSandbox, Party> parties = new ConcurrentHashMap<>();

    Registration when(LiveSandbox sandbox, Runnable action) {
        Party party = parties.computeIfAbsent(sandbox, s -> new Party());
        if (party.watched.compareAndSet(false, true)) {
            sandbox.gone().thenRun(() -> depart(sandbox));
        }
        Registration registration = new Registration(party, action);
        party.waiting.add(registration);
        if (party.over) {
            registration.run();
        }
        return registration;
    }

    int waiting(LiveSandbox sandbox) {
        Party party = parties.get(sandbox);
        return party == null ? 0 : party.waiting.size();
    }

    private void depart(LiveSandbox sandbox) {
        Party party = parties.remove(sandbox);
        if (party != null) {
            party.over = true;
            party.waiting.forEach(Registration::run);
        }
    }
}
