/**
 * The catalogue of saved states: their life, names, listing and removal.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.snapshot.Snapshots}: accept, claim, seal or fail a
 * capture; find and list what is saved; delete. {@link dev.holdfast.snapshot.Operations}: captures
 * as acts, their progress and their cancellation. {@link dev.holdfast.snapshot.Verdicts}: whether
 * it can be restored and who lives from it. {@link dev.holdfast.snapshot.Retentions}: when it ends.
 * {@link dev.holdfast.snapshot.Removals}: expiry and what the clean-up job reports. {@link
 * dev.holdfast.snapshot.Imports}: rows made from manifests. {@link dev.holdfast.snapshot.Scrubs}:
 * whose parts are to be read, and what was found.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>Every transition is made on a locked row, in one transaction with what depends on it: the
 *       name, the quota, the source's state. A second writer waits and then sees that it came late.
 *   <li>One live snapshot per project, short name and tag; the database's index says so, not a
 *       check before the insert. A name is held from the acceptance of the capture and free at once
 *       when the snapshot is deleted, has expired or failed.
 *   <li>Locks are taken in one order: a snapshot's row, the project's usage, the source's row. An
 *       acceptance comes the other way round and so never waits for the row of another snapshot: a
 *       name whose holder is just changing counts as held.
 *   <li>Expiry takes effect at the instant: every query compares {@code expires_at}, and no job is
 *       needed for it. The bytes of an expired one count until it is removed.
 *   <li>Locks are taken in the order sandbox to be captured, quota, and snapshot, quota, sandbox of
 *       a finished capture. The two cannot meet: the first never locks a snapshot's row, and a
 *       sandbox is in one capture at a time.
 *   <li>The state of a pause ({@code PAUSE}) and what a fork captures in passing ({@code AUTO}) are
 *       in no list. A pause never expires; it goes when its sandbox has gone on or ended. What was
 *       captured in passing goes when the last fork has started, and expires soon if the server
 *       dies before.
 *   <li>Deleting again what awaits its clean-up is no deletion, but has a clean-up that failed
 *       tried again at once.
 *   <li>A snapshot is removed rows first, objects later, row last. A live sandbox made from it
 *       keeps it from being deleted; both sides lock the snapshot's row, so neither can slip past
 *       the other.
 *   <li>Whether a snapshot can be restored is answered by the view {@code snapshot_verdict} from
 *       stored facts ({@link dev.holdfast.snapshot.Verdicts}): its state and expiry, its parts, and
 *       what the reachable workers offer. The restore goes by the same answer. One statement
 *       answers for a whole list.
 *   <li>A restore that fails all the same leaves a doubt, which is shown and reported and does not
 *       refuse the next one: the cause may be the host's. Parts that are missing or damaged do
 *       refuse it. A restore that works, or a scrub that finds all whole, ends both.
 *   <li>How long one is kept is settled when it is saved ({@link
 *       dev.holdfast.snapshot.Retentions}). Only somebody who says so moves it, into the future and
 *       within the policy.
 * </ul>
 *
 * <p><b>Out of scope.</b> Writing the state: room {@code capture}. Reading it back: rooms {@code
 * restore} and {@code worker}. Objects: room {@code storage}.
 */
package dev.holdfast.snapshot;
