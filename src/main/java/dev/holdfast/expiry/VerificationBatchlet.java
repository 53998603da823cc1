package dev.holdfast.expiry;

import dev.holdfast.audit.Breach;
import dev.holdfast.audit.Chain;
import dev.holdfast.audit.Chains;
import dev.holdfast.audit.Linking;
import dev.holdfast.audit.Verification;
import dev.holdfast.job.Finding;
import dev.holdfast.job.Findings;
import dev.holdfast.job.Order;
import dev.holdfast.job.Orders;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Recomputes the chains of the audit one after the other, or that of one project. */
@Named
@Dependent
public class VerificationBatchlet extends HeedfulBatchlet {

    private static final Logger LOG = Logger.getLogger(VerificationBatchlet.class);
    private static final int PAGE = 100;

    @Inject Chains chains;
    @Inject Findings findings;
    @Inject Linking linking;
    @Inject Orders orders;
    @Inject Verification verification;

    private long entries;
    private int whole;

    @Override
    public String process() {
        Order order = orders.current();
        findings.begin(order.job().id());
        linking.linkSome();
        order.project()
                .ifPresentOrElse(
                        one -> verify(order, one.value()),
                        () -> each(last -> chains.after(last, PAGE), id -> verify(order, id)));
        long broken = findings.count(order.job().id());
        orders.say(
                (broken == 0 ? "" : findings.summary(order.job().id()) + "; ")
                        + "whole: "
                        + entries
                        + " entries, "
                        + whole
                        + " chains");
        return "COMPLETED";
    }

    private void verify(Order order, UUID id) {
        Verification.Seen seen = verification.verify(id);
        Chain chain = chains.find(id);
        String whose = chain.subject();
        entries += seen.entries();
        if (seen.breach().isPresent()) {
            Breach breach = seen.breach().get();
            String where =
                    breach.position() > 0
                            ? "from sequence %d on".formatted(breach.position())
                            : "an entry that no chain has";
            LOG.errorf("The audit of %s is not what it was: %s, %s", whose, breach.reason(), where);
            findings.add(order.job().id(), Finding.of(whose, breach.reason(), where));
        } else {
            whole++;
            // Whoever keeps the log elsewhere has the end of the chain there too.
            chain.verification()
                    .map(Chain.Verified::until)
                    .ifPresent(
                            until ->
                                    LOG.infof(
                                            "The audit of %s is whole up to sequence %d, hash %s",
                                            whose, until.position(), until.hash()));
        }
    }
}
