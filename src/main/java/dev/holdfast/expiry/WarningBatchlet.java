package dev.holdfast.expiry;

import dev.holdfast.snapshot.Retentions;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import org.jboss.logging.Logger;

/** Warns of snapshots that expire soon; each in a transaction of its own. */
@Named
@Dependent
public class WarningBatchlet extends AbstractBatchlet {

    private static final Logger LOG = Logger.getLogger(WarningBatchlet.class);
    private static final int MOST = 1000;

    @Inject Retentions retentions;

    @Override
    public String process() {
        for (SnapshotId id : retentions.toWarnOf(MOST)) {
            try {
                retentions.warn(id);
            } catch (RuntimeException e) {
                LOG.warnf(e, "The warning that snapshot %s expires comes later", id);
            }
        }
        return "COMPLETED";
    }
}
