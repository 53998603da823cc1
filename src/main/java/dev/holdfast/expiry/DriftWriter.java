package dev.holdfast.expiry;

import dev.holdfast.job.Finding;
import dev.holdfast.job.Findings;
import dev.holdfast.job.Orders;
import dev.holdfast.quota.Drift;
import dev.holdfast.quota.Drifts;
import dev.holdfast.quota.Level;
import jakarta.batch.api.chunk.AbstractItemWriter;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Puts counters right and says what was wrong. A dry run only says it. What the reader found may
 * have come right since, so a repair looks again, under the lock.
 */
@Named
@Dependent
public class DriftWriter extends AbstractItemWriter {

    private static final Logger LOG = Logger.getLogger(DriftWriter.class);

    @Inject Drifts drifts;
    @Inject Findings findings;
    @Inject JobContext job;
    @Inject Orders orders;

    @Override
    public void writeItems(List<Object> items) {
        boolean dryRun = orders.current().isDry();
        for (Object item : items) {
            Drift found = (Drift) item;
            if (dryRun) {
                report(found, "usage_differs", "reservations_stale");
            } else {
                drifts.repair(found.project())
                        .ifPresent(
                                wrong -> report(wrong, "usage_repaired", "reservations_removed"));
            }
        }
    }

    private void report(Drift drift, String miscounted, String stale) {
        if (drift.isMiscounted()) {
            String detail =
                    "counted " + words(drift.counted()) + "; stored " + words(drift.stored());
            LOG.warnf("Project %s, %s: %s", drift.project(), miscounted, detail);
            add(drift, miscounted, detail, drift.snapshots(), drift.bytes());
        }
        if (drift.isStale()) {
            String detail = "room was held for captures that are over";
            LOG.warnf(
                    "Project %s, %s: %d (%d bytes)",
                    drift.project(), stale, drift.stale().count(), drift.stale().bytes());
            add(drift, stale, detail, drift.stale().count(), drift.stale().bytes());
        }
    }

    private void add(Drift drift, String reason, String detail, long objects, long bytes) {
        findings.add(
                job.getJobName(),
                new Finding(drift.project().toString(), reason, detail, objects, bytes));
    }

    private static String words(Level level) {
        return level.snapshots()
                + " snapshots of "
                + level.savedBytes()
                + " bytes, pauses of "
                + level.pausedBytes()
                + " bytes";
    }
}
