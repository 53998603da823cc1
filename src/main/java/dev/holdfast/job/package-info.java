/**
 * The batch jobs as things that are listed, started, stopped, restarted and scheduled, whatever
 * they do.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.job.Job} lists the jobs with their parameters; a new
 * one is a line there, a file in {@code META-INF/batch-jobs} and its artifacts in the room whose
 * noun it is about. {@link dev.holdfast.job.JobSchedule} starts them by persistent timers whose
 * calendars are configuration; {@link dev.holdfast.job.Jobs} starts, stops and restarts them for
 * whoever asks; WildFly's CLI and console do the same past this room.
 *
 * <p><b>Facts that must hold.</b> A wrong parameter ends an execution before it has done anything
 * ({@link dev.holdfast.job.RunListener}), whoever started it. Of all nodes one decides at a time
 * whether a job is started. A ring is heard once, although nodes that started together may each
 * have made a timer for it: the next ring of both tells that it is the same. A timer that finds
 * nothing due starts none, so the job repository does not fill with empty runs.
 *
 * <p>A job that is to run alone ({@link dev.holdfast.job.Job}) does, whoever started it and past
 * whom: before its first act each execution asks, under the job's lock, whether another has begun
 * on a node that lives, and ends if so.
 *
 * <p>An execution belongs to the node that runs it, in the incarnation that runs it: that tells
 * nodes apart also when two have one name ({@link dev.holdfast.job.JobNodes}). A node says all the
 * time that it lives ({@link dev.holdfast.job.JobLease}). What one ran that no longer says so, or
 * that says so in another incarnation, another node goes on with from the last checkpoint, or says
 * that nobody does, for example because another does the same by then: one of them all, the first
 * that has the job's lock. What a node that is gone wrote as running stops nobody. One that was
 * only silent, and finds that others went on, ends with its present chunk what it still runs; until
 * then both are at it, which is as safe as two nodes that do the same: each row is locked and
 * looked at again before anything is done with it.
 *
 * <p>What a person should look at is a {@link dev.holdfast.job.Finding}: the last run of each job
 * keeps its own in the table, and its exit status sums them up.
 *
 * <p><b>Decisions.</b> Lists are read from the repository's tables, because the job operator takes
 * all executions that ever were into memory and knows neither pages nor nodes; changes go through
 * the operator alone, but for what nobody will ever change again. The calendars' keys begin with
 * {@code holdfast.expiry}, where the jobs once were: a setting keeps its name.
 *
 * <p><b>Out of scope.</b> What the jobs do: {@code expiry} and the rooms below it.
 */
package dev.holdfast.job;
