package dev.holdfast.audit;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Recomputes chains, a page at a time; nothing is locked, and entries may come and go meanwhile.
 */
@Stateless
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class Verification {
    private static final Logger LOG = Logger.getLogger(Verification.class);

    private static final int PAGE = 1_000;

    @Inject Chains chains;
    @Inject Pages pages;

    /**
     * @param entries how many were looked at
     */
    public record Seen(long entries, Optional<Breach> breach) {}

    /** Recomputes a chain and writes down what was seen. */
    public Seen verify(UUID id) {
        Chain chain = state(id);
        Walk walk = new Walk(chain.anchor(), chain.seen());
        long begun = walk.here().position();
        while (walk.breach().isEmpty() && walk.here().position() < chain.head().position()) {
            if (!take(walk, id)) {
                break;
            }
        }
        Chain.Point head = chain.head();
        boolean grown = walk.here().position() > head.position();
        if (grown) {
            head = state(id).head();
        }
        if (walk.breach().isEmpty() && (!grown || head.position() <= walk.here().position())) {
            walk.end(head);
        }
        Optional<Breach> breach = walk.breach().or(() -> unlinked(id));
        chains.verified(id, walk.here(), breach);
        return new Seen(walk.here().position() - begun, breach);
    }

    /** Those of a chain that got in beside it. */
    private Optional<Breach> unlinked(UUID id) {
        return pages.isAnyUnlinked(id)
                ? Optional.of(new Breach(0, Breach.UNLINKED))
                : Optional.empty();
    }

    private Chain state(UUID id) {
        return chains.find(Optional.of(id));
    }

    /**
     * @return false: there are none
     */
    private boolean take(Walk walk, UUID id) {
        List<Pages.Linked> page = page(id, walk.here().position());
        long first = page.isEmpty() ? Long.MAX_VALUE : page.get(0).link().position();
        if (first > walk.here().position() + 1) {
            // Asked after it was read: what was removed because it was old shows.
            Chain.Point anchor = state(id).anchor();
            if (anchor.position() > walk.here().position()) {
                walk.goOnBehind(anchor);
                return true;
            }
        }
        return page.stream().allMatch(each -> walk.take(each.link(), each.text(), each.at()))
                && !page.isEmpty();
    }

    /** One after the other where one of them cannot be read; that one is as good as gone. */
    private List<Pages.Linked> page(UUID id, long after) {
        try {
            return pages.read(id, after, PAGE);
        } catch (RuntimeException unreadable) {
            LOG.debugf(unreadable, "Chain %s behind %d", id, after);
        }
        try {
            return pages.read(id, after, 1);
        } catch (RuntimeException unreadable) {
            LOG.warnf(unreadable, "Entry %d of chain %s cannot be read", after + 1, id);
            return pages.bare(id, after);
        }
    }
}
