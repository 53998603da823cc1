package dev.holdfast.event;

import dev.holdfast.database.AfterCommit;
import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
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
            List<Event> told = List.copyOf(events);
            transaction.registerInterposedSynchronization(
                    new AfterCommit(() -> announcer.announce(told)));
        }
    }
}
