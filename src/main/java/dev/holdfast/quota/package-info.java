/**
 * What a project may store: limits, reservations, settlement; and what it has stored, for how long.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.quota.Quotas}: reserve before a capture is accepted,
 * settle with the true size when it is saved, release when it fails, free when its objects are
 * gone. {@link dev.holdfast.quota.Summaries}: limits and uses at one moment. {@link
 * dev.holdfast.quota.UsageDays}: what was stored on each day. {@link dev.holdfast.quota.Drifts}:
 * counters that are not what the rows say, found and put right.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>Whatever takes room happens under the lock of the project's usage row ({@link
 *       dev.holdfast.quota.Usages}), and every change in the transaction of the state it belongs
 *       to. What is being captured and what awaits its cleanup counts. The states of paused
 *       sandboxes count as bytes and not as snapshots, and never stand in the way of a pause.
 *   <li>Only what is new is refused. Cleanup, expiry, pause, resume and restore ask no quota, and a
 *       limit that is lowered below the use removes nothing.
 *   <li>What is charged is said once, by the view {@code snapshot_charge}: saved, in the trash, or
 *       awaiting cleanup. What was never saved is held by a reservation, or is not charged at all.
 *   <li>Each change of what is stored first writes down for how long it was what it was, to the
 *       byte and the microsecond, split at the midnights of UTC. So nothing has to run on a day on
 *       which nothing changes, and what has been stored since the last change is added when
 *       somebody looks.
 *   <li>One warning for each time that a limit comes near from below, and not for each capture.
 * </ul>
 *
 * <p><b>Decisions.</b>
 *
 * <ul>
 *   <li>Reservations are no part of the byte-hours: nothing is stored yet, and most captures turn
 *       out far smaller than what is held for them. For the same reason they warn nobody, although
 *       the summary counts them: what is left for the next capture depends on them.
 *   <li>A snapshot that an import brings back is charged from then on. The days before are as the
 *       catalogue has them; a catalogue restored from an older copy goes on with the level it had.
 *   <li>Where the database's clock goes back, the time until it has caught up is charged to nobody:
 *       it was charged before.
 *   <li>Repairing counters leaves settled days alone: nobody knows since when they were wrong.
 *   <li>The figures of the summary add up to what limits are judged by, that is, the counters;
 *       whether these are what the rows say is the question of {@code Drifts}. They compare in one
 *       statement and need no lock for it; only the repair takes one, and compares again.
 * </ul>
 *
 * <p><b>Out of scope.</b> Who may raise a limit: room {@code access}. Live sandboxes are admitted
 * under the project's lock by room {@code restore}; here they are only shown.
 */
package dev.holdfast.quota;
