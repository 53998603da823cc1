/**
 * What ends by itself: captures past their deadline, and the objects of removed snapshots.
 *
 * <p><b>Operations.</b> Jakarta Batch jobs, one XML each: {@code reap-stalled-captures} and {@code
 * clean-up-objects}. {@link dev.holdfast.expiry.JobSchedule} starts them by persistent timers whose
 * calendars are configuration; an operator starts them through the management CLI.
 *
 * <p><b>Facts that must hold.</b> A job only catches up: no deadline or expiry waits for it to take
 * effect. Each item is one transaction, so one failure never stops the rest, and a job that was
 * killed can be started again. Objects go before their row; a missing object counts as deleted. A
 * timer that finds nothing due starts no job, so the job repository does not fill with empty runs.
 *
 * <p>An expired snapshot is refused at once and removed only when a capture takes its name: the job
 * that removes the others is not written yet, so until then their bytes stay in the quota.
 *
 * <p><b>Out of scope.</b> The end of a sandbox at its timeout: a tick of its worker.
 */
package dev.holdfast.expiry;
