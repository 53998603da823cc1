package dev.holdfast.envd;

import dev.holdfast.gateway.Departures;
import dev.holdfast.worker.LiveSandbox;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The watchers that are asked for their events again and again, of all sandboxes here. One that
 * nobody asks for an hour ends; so do all when their sandbox does.
 */
final class Watchers {

    static final int MOST = 50;
    private static final Duration IDLE = Duration.ofHours(1);

    /** Those of one sandbox. */
    private static final class Party {
        final Map<String, Watcher> watchers = new ConcurrentHashMap<>();
        final WatcherSpace space;
        volatile Departures.Registration departure;

        Party(WatcherSpace space) {
            this.space = space;
        }
    }

    private final ConcurrentMap<LiveSandbox, Party> parties = new ConcurrentHashMap<>();
    private final WatcherSpace space = WatcherSpace.ofAll();

    /** Begins to collect; the stage gives the watcher's ID once nothing is missed any more. */
    CompletionStage<String> create(Call call, WatchOrder order) {
        Party party = party(call);
        String id = UUID.randomUUID().toString();
        Watcher watcher = new Watcher(party.space, () -> party.watchers.remove(id));
        synchronized (party) {
            endIdle(party);
            if (party.watchers.size() >= MOST) {
                throw new ConnectError(
                        ConnectCode.RESOURCE_EXHAUSTED, MOST + " watchers of the sandbox are open");
            }
            party.watchers.put(id, watcher);
        }
        try {
            watcher.follows(order.begin(call, watcher));
        } catch (RuntimeException e) {
            party.watchers.remove(id);
            throw e;
        }
        if (parties.get(call.visit().sandbox()) != party) {
            watcher.end(); // its sandbox has gone, and nobody else would end it
        }
        CompletableFuture<String> created = watcher.started().thenApply(begun -> id);
        created.exceptionally(
                refused -> {
                    party.watchers.remove(id);
                    return null;
                });
        return created;
    }

    Watcher find(Call call, String id) {
        Party party = parties.get(call.visit().sandbox());
        Watcher watcher = party == null ? null : party.watchers.get(id);
        if (watcher == null || watcher.isIdle(IDLE)) {
            throw unknown(id);
        }
        return watcher;
    }

    void remove(Call call, String id) {
        Party party = parties.get(call.visit().sandbox());
        Watcher watcher = party == null ? null : party.watchers.remove(id);
        if (watcher == null) {
            throw unknown(id);
        }
        watcher.end();
    }

    private Party party(Call call) {
        LiveSandbox sandbox = call.visit().sandbox();
        Party party = parties.computeIfAbsent(sandbox, s -> new Party(space.ofSandbox()));
        synchronized (party) {
            if (party.departure == null) {
                party.departure = call.visit().whenGone(() -> forget(sandbox));
            }
        }
        return party;
    }

    private void forget(LiveSandbox sandbox) {
        Party party = parties.remove(sandbox);
        if (party != null) {
            party.watchers.values().forEach(Watcher::end);
        }
    }

    private static void endIdle(Party party) {
        party.watchers
                .entrySet()
                .removeIf(
                        entry -> {
                            boolean idle = entry.getValue().isIdle(IDLE);
                            if (idle) {
                                entry.getValue().end();
                            }
                            return idle;
                        });
    }

    private static ConnectError unknown(String id) {
        return new ConnectError(ConnectCode.NOT_FOUND, "watcher with id '" + id + "' not found");
    }
}
