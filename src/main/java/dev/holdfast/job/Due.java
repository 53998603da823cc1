package dev.holdfast.job;

import dev.holdfast.autosave.Keeps;
import dev.holdfast.fleet.Workers;
import dev.holdfast.quota.Drifts;
import dev.holdfast.retention.Policies;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Changes;
import dev.holdfast.snapshot.Removals;
import dev.holdfast.snapshot.Retentions;
import dev.holdfast.snapshot.Scrubs;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.template.Templates;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Whether a job would find something: a timer that finds nothing leaves no empty run behind. */
@ApplicationScoped
class Due {

    @Inject Changes changes;
    @Inject Drifts drifts;
    @Inject Keeps keeps;
    @Inject Policies policies;
    @Inject Removals removals;
    @Inject Retentions retentions;
    @Inject Sandboxes sandboxes;
    @Inject Scrubs scrubs;
    @Inject Snapshots snapshots;
    @Inject Templates templates;
    @Inject Workers workers;

    boolean is(Job job) {
        return switch (job) {
            case REAP_LOST_WORKERS ->
                    !workers.lost().isEmpty()
                            || !workers.missed().isEmpty()
                            || !sandboxes.overdue().isEmpty();
            case REAP_STALLED_CAPTURES ->
                    !snapshots.stalled().isEmpty() || !snapshots.abandoned().isEmpty();
            case EXPIRE_SNAPSHOTS -> removals.isExpiryDue();
            case APPLY_RETENTION -> !policies.ruled().isEmpty();
            case PURGE_TRASH -> removals.isTrashDue();
            case CLEAR_AUTOSAVES -> !keeps.crowded(1).isEmpty();
            case WARN_OF_EXPIRY -> !retentions.toWarnOf(1).isEmpty();
            case WRITE_AMENDMENTS -> !changes.due(1).isEmpty();
            case CLEAN_UP_OBJECTS -> removals.isCleanupDue();
            case RECONCILE_USAGE -> !drifts.found(Optional.empty(), 1).isEmpty();
            case VERIFY_PARTS -> !scrubs.due(unread(), 1, Long.MAX_VALUE).isEmpty();
            case PURGE_TEMPLATES ->
                    !templates.overdue().isEmpty() || !templates.unneededImages().isEmpty();
            default -> true;
        };
    }

    private static Duration unread() {
        return new Order(Job.VERIFY_PARTS, Map.of()).duration("unread").orElseThrow();
    }
}
