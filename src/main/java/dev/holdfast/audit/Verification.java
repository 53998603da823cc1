package dev.holdfast.audit;

import dev.holdfast.database.DatabaseTime;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Recomputes chains, a page at a time; nothing is locked, and entries may come and go meanwhile.
 */
@Stateless
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class Verification {
    private static final int PAGE = 1_000;

    @Inject Chains chains;
    @Inject Leaves leaves;
    @Inject Pages pages;
    @Inject DatabaseTime time;

    /**
     * @param entries how many were looked at
     */
    public record Seen(long entries, Optional<Breach> breach) {}

    /** Recomputes a chain and writes down what was seen. */
    public Seen verify(UUID id) {
        Chain chain = chains.find(id);
        Walk walk = chain.walk(time.now(), chains.kept(id));
        long begun = walk.here().position();
        while (walk.breach().isEmpty() && walk.here().position() < chain.head().position()) {
            if (!take(walk, id)) {
                break;
            }
        }
        Chain.Point head = chain.head();
        boolean grown = walk.here().position() > head.position();
        if (grown) {
            head = chains.find(id).head();
        }
        if (!grown || head.position() <= walk.here().position()) {
            walk.end(head);
        }
        Optional<Breach> breach = walk.breach().or(() -> unlinked(id)).or(walk::late);
        chains.verified(id, walk.here(), breach);
        return new Seen(walk.here().position() - begun, breach);
    }

    /** Those of a chain that got in beside it. */
    private Optional<Breach> unlinked(UUID id) {
        return pages.isAnyUnlinked(id)
                ? Optional.of(new Breach(0, Breach.UNLINKED))
                : Optional.empty();
    }

    /**
     * @return false: there are none
     */
    private boolean take(Walk walk, UUID id) {
        List<Pages.Linked> page = leaves.page(id, walk.here().position(), PAGE);
        long first = page.isEmpty() ? Long.MAX_VALUE : page.get(0).link().position();
        if (first > walk.here().position() + 1) {
            // Asked after it was read: what was removed because it was old shows.
            Chain.Point anchor = chains.find(id).anchor();
            if (anchor.position() > walk.here().position()) {
                walk.goOnBehind(anchor);
                return walk.breach().isEmpty();
            }
        }
        return page.stream().allMatch(each -> walk.take(each.link(), each.text(), each.at()))
                && !page.isEmpty();
    }
}
