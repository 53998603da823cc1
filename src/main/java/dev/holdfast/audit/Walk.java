package dev.holdfast.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Goes along a chain from its anchor, and stops where something does not fit. An entry that came
 * late fits: it is a finding, and what stands behind it is looked at all the same.
 */
final class Walk {

    /** Hardly a transaction is open for so long; one that a crash left in doubt may be. */
    static final Duration LATEST = Duration.ofDays(1);

    private final Optional<Chain.Point> seen;
    private final boolean young;
    private Chain.Point here;
    private Instant newest = Instant.EPOCH;
    private Breach breach;
    private Breach late;

    /**
     * @param seen what was verified before
     * @param young whether that was so lately that nothing behind it can be older than is kept
     */
    Walk(Chain.Point anchor, Optional<Chain.Point> seen, boolean young) {
        this.here = seen.orElse(anchor);
        this.seen = seen;
        this.young = young;
        goOnBehind(anchor);
    }

    /** The last that is as it was. */
    Chain.Point here() {
        return here;
    }

    /** Where it stopped. */
    Optional<Breach> breach() {
        return Optional.ofNullable(breach);
    }

    /** The first that came late. */
    Optional<Breach> late() {
        return Optional.ofNullable(late);
    }

    /**
     * @param text the canonical text of its entry; empty: it is not there, or not of this chain
     * @return whether to go on
     */
    boolean take(Link link, Optional<String> text, Instant at) {
        Optional<String> wrong = wrong(link, text, at);
        if (wrong.isPresent()) {
            breach = new Breach(here.position() + 1, wrong.get());
            return false;
        }
        here = pointOf(link);
        if (late == null && at.isBefore(newest.minus(LATEST))) {
            late = new Breach(link.position(), Breach.BACKDATED);
        }
        newest = at.isAfter(newest) ? at : newest;
        return true;
    }

    /** Those before it were removed because they were old. */
    void goOnBehind(Chain.Point anchor) {
        if (seen.filter(point -> isOther(point, anchor)).isPresent()) {
            breach = new Breach(anchor.position(), Breach.REWRITTEN);
        } else if (young && seen.filter(p -> p.position() < anchor.position()).isPresent()) {
            breach = new Breach(seen.get().position() + 1, Breach.MISSING);
        } else {
            here = anchor;
        }
    }

    /** There are no more; where it stopped before, that stays the finding. */
    void end(Chain.Point head) {
        if (breach != null) {
            return;
        }
        if (head.position() > here.position()) {
            breach = new Breach(here.position() + 1, Breach.MISSING);
        } else if (!head.hash().equals(here.hash())) {
            breach = new Breach(here.position(), Breach.CHANGED);
        } else if (seen.filter(point -> point.position() > here.position()).isPresent()) {
            breach = new Breach(here.position() + 1, Breach.MISSING);
        }
    }

    private Optional<String> wrong(Link link, Optional<String> text, Instant at) {
        if (link.position() != here.position() + 1 || text.isEmpty()) {
            return Optional.of(Breach.MISSING);
        }
        if (!link.previous().equals(here.hash())
                || !link.at().equals(at)
                || !link.hash().equals(Canonical.hash(here.hash(), link.position(), text.get()))) {
            return Optional.of(Breach.CHANGED);
        }
        if (seen.filter(point -> isOther(point, pointOf(link))).isPresent()) {
            return Optional.of(Breach.REWRITTEN);
        }
        return Optional.empty();
    }

    private static Chain.Point pointOf(Link link) {
        return new Chain.Point(link.position(), link.hash());
    }

    private static boolean isOther(Chain.Point one, Chain.Point other) {
        return one.position() == other.position() && !one.hash().equals(other.hash());
    }
}
