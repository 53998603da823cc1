package dev.holdfast.expiry;

import dev.holdfast.event.Errand;
import dev.holdfast.snapshot.Amended;
import dev.holdfast.snapshot.Changed;
import dev.holdfast.snapshot.Changes;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.storage.Amendment;
import dev.holdfast.storage.Amendments;
import dev.holdfast.storage.ObjectConflictException;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/**
 * Lets the store follow what was changed of saved snapshots. Nobody waits for it and no transaction
 * is open while it writes; what does not succeed is due again at its next round.
 */
@ApplicationScoped
public class Amender {

    private static final Logger LOG = Logger.getLogger(Amender.class);
    private static final int PAGE = 100;

    /** So many wait to be looked at at once; what is told of beyond that waits for the job. */
    private static final int AT_ONCE = 1000;

    /** Where the store is ahead of the catalogue it takes as many to get past it. */
    private static final int ROUNDS = 4;

    @Inject Amendments amendments;
    @Inject Changes changes;
    @Resource ManagedExecutorService executor;

    /** Told of and not yet looked at. */
    private final BlockingQueue<SnapshotId> told = new LinkedBlockingQueue<>(AT_ONCE);

    private final Errand errand = new Errand(this::followTold);

    public void observe(@Observes(during = TransactionPhase.AFTER_SUCCESS) Changed changed) {
        if (told.offer(changed.id()) && !errand.ask(executor)) {
            LOG.debugf("Snapshot %s is amended later", changed.id());
        }
    }

    private void followTold() {
        Set<SnapshotId> some = new LinkedHashSet<>();
        told.drainTo(some);
        try {
            follow(some);
        } catch (RuntimeException e) {
            LOG.warnf(e, "What was changed is written to the store later");
        }
    }

    /**
     * Writes what is due. What cannot be written is put off, so it never keeps the others.
     *
     * @param most how many at the most
     * @param stopped asked after each part
     */
    void follow(int most, BooleanSupplier stopped) {
        int left = most;
        List<SnapshotId> page;
        do {
            page = changes.due(Math.min(left, PAGE));
            follow(page);
            left -= page.size();
        } while (!page.isEmpty() && left > 0 && !stopped.getAsBoolean());
    }

    private void follow(Collection<SnapshotId> some) {
        int failed = 0;
        for (SnapshotId id : some) {
            try {
                follow(id);
            } catch (IOException | RuntimeException e) {
                LOG.debugf(e, "The amendment of snapshot %s", id);
                if (failed++ == 0) {
                    LOG.warnf("Snapshot %s is amended later: %s", id, e);
                }
                changes.putOff(id);
            }
        }
        if (failed > 1) {
            LOG.warnf("%d snapshots are amended later", failed);
        }
    }

    private void follow(SnapshotId id) throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            Optional<Amended> amended = changes.of(id);
            if (amended.isEmpty() || write(id, amended.get())) {
                return;
            }
        }
        throw new IOException("the store is ahead each time anew");
    }

    /**
     * @return false where the store was ahead, so the row has another number now
     */
    private boolean write(SnapshotId id, Amended amended) throws IOException {
        long highest;
        try {
            highest = amendments.save(new Amendment(id.value(), amended.number(), amended.facts()));
        } catch (ObjectConflictException other) {
            changes.renumber(id, amended.number(), amendments.find(id.value()).highest() + 1);
            return false;
        }
        if (!changes.stored(id, amended.number())) {
            // Removed meanwhile: whoever cleaned up may have looked before this was written.
            amendments.remove(id.value());
            return true;
        }
        if (highest > amended.number()) {
            // By another node, of a later change, or by a later copy of this catalogue.
            changes.renumber(id, amended.number(), highest);
            return false;
        }
        return true;
    }
}
