package dev.holdfast.database;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;

/**
 * What is done once a transaction has committed, and never if it has not: nothing is told, counted
 * or remembered before it is true.
 */
public record AfterCommit(Runnable deed) implements Synchronization {

    @Override
    public void beforeCompletion() {
        // Then it is not true yet.
    }

    @Override
    public void afterCompletion(int status) {
        if (status == Status.STATUS_COMMITTED) {
            deed.run();
        }
    }
}
