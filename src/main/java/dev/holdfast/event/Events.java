package dev.holdfast.event;

import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;

/** Publishes transitions: when the caller's transaction has committed, or never. */
@Stateless
public class Events {

    @Inject Announcer announcer;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void publish(Event event) {
        transaction.registerInterposedSynchronization(new AfterCommit(announcer, event));
    }

    private record AfterCommit(Announcer announcer, Event event) implements Synchronization {

        @Override
        public void beforeCompletion() {
            // Nothing is said before it is true.
        }

        @Override
        public void afterCompletion(int status) {
            if (status == Status.STATUS_COMMITTED) {
                announcer.announce(event);
            }
        }
    }
}
