package dev.holdfast.expiry;

import dev.holdfast.audit.AuditEntries;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Lets entries of the audit go that are older than is kept, a piece at a time. */
@Named
@Dependent
public class AuditBatchlet extends AbstractBatchlet {

    private volatile boolean stopped;

    @Inject AuditEntries entries;

    @Override
    public String process() {
        int removed = 0;
        int some;
        do {
            some = entries.purge();
            removed += some;
        } while (some > 0 && !stopped);
        return "removed " + removed;
    }

    @Override
    public void stop() {
        stopped = true;
    }
}
