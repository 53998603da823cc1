package dev.holdfast.audit;

import dev.holdfast.database.DatabaseTime;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Removes what is older than is kept. It recomputes what it removes, for afterwards nobody can, and
 * believes of an entry's age only what is hashed.
 */
@Stateless
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class Purge {

    /** So many are removed in one transaction. */
    private static final int MOST = 1_000;

    @Inject Chains chains;
    @Inject Leaves leaves;
    @Inject DatabaseTime time;

    /**
     * Removes some from the old end of a chain; nothing where it is not what it was.
     *
     * @return how many; 0: there are none, or they have to stay
     */
    public int purge(UUID id) {
        Chain chain = chains.find(id);
        Instant now = time.now();
        Duration kept = chains.kept(id);
        Walk walk = chain.walk(now, kept);
        Optional<Link> until = old(id, walk, now.minus(kept));
        if (walk.breach().isEmpty()) {
            return until.map(last -> chains.remove(id, chain.anchor(), last)).orElse(0);
        }
        // Else it is only that somebody else removes them.
        if (chains.find(id).anchor().equals(chain.anchor())) {
            chains.verified(id, walk.here(), walk.breach());
        }
        return 0;
    }

    /** The last that is old. The one behind it is looked at too, so that the two fit. */
    private Optional<Link> old(UUID id, Walk walk, Instant before) {
        Link until = null;
        if (walk.breach().isPresent()) {
            return Optional.empty();
        }
        for (Pages.Linked each : leaves.page(id, walk.here().position(), MOST)) {
            if (!walk.take(each.link(), each.text(), each.at()) || !each.at().isBefore(before)) {
                break;
            }
            until = each.link();
        }
        return Optional.ofNullable(until);
    }
}
