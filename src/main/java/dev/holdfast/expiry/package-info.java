/**
 * What ends by itself: captures past their deadline, expired snapshots, and the objects of removed
 * ones.
 *
 * <p><b>Operations.</b> Jakarta Batch jobs, one XML each: {@code reap-stalled-captures}, {@code
 * expire-snapshots}, {@code clean-up-objects}, {@code sweep-orphans}, {@code purge-metrics} and
 * {@code purge-templates}, which also fails builds past their deadline. {@link
 * dev.holdfast.expiry.JobSchedule} starts them by persistent timers whose calendars are
 * configuration; an operator starts them through the management CLI.
 *
 * <p><b>Facts that must hold.</b> A job only catches up: no deadline or expiry waits for it to take
 * effect. Each item is one transaction, so one failure never stops the rest, and a job that was
 * killed can be started again. Objects go before their row; a missing object counts as deleted. A
 * timer that finds nothing due starts no job, so the job repository does not fill with empty runs.
 *
 * <p>The sweep removes only objects whose snapshot left a tombstone. Objects of which the catalogue
 * knows nothing may belong to a newer catalogue than this copy of it, so they stay for an operator.
 *
 * <p><b>Out of scope.</b> The end of a sandbox at its timeout: a tick of its worker.
 */
package dev.holdfast.expiry;
