package dev.holdfast.event;

import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.List;

/**
 * Publishes transitions: what is kept of them is written in the caller's transaction, and whoever
 * waits is told when that has committed, or never.
 */
@Stateless
public class Events {

    @Inject Announcer announcer;
    @Inject Pending pending;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void publish(Event event) {
        publish(List.of(event));
    }

    /**
     * Many at once: they are written with one statement, and told one after the other by one
     * thread, so that they leave the others.
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void publish(List<Event> events) {
        if (!events.isEmpty()) {
            pending.write(events.stream().flatMap(each -> each.notices().stream()).toList());
            transaction.registerInterposedSynchronization(
                    new AfterCommit(announcer, List.copyOf(events)));
        }
    }

    private record AfterCommit(Announcer announcer, List<Event> events) implements Synchronization {

        @Override
        public void beforeCompletion() {
            // Nothing is said before it is true.
        }

        @Override
        public void afterCompletion(int status) {
            if (status == Status.STATUS_COMMITTED) {
                announcer.announce(events);
            }
        }
    }
}
