/**
 * The catalogue of saved states: their life, names and removal.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.snapshot.Snapshots}: accept, claim, seal or fail a
 * capture; find what is saved; delete. {@link dev.holdfast.snapshot.Operations}: captures as acts,
 * their progress and their cancellation. {@link dev.holdfast.snapshot.Verdicts}: whether it can be
 * restored and who lives from it. {@link dev.holdfast.snapshot.Retentions}: when it ends. {@link
 * dev.holdfast.snapshot.Annotations}: what people write on it. {@link dev.holdfast.snapshot.Pins}:
 * what keeps it from its end. {@link dev.holdfast.snapshot.Trash}: what brings it back. {@link
 * dev.holdfast.snapshot.Removals}: every removal, with its audit and its news, and what the
 * clean-up job reports. {@link dev.holdfast.snapshot.Imports}: rows made from manifests. {@link
 * dev.holdfast.snapshot.Scrubs}: whose parts are to be read, and what was found.
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
 *   <li>{@code expires_at} is the one moment at which a snapshot ends: the latest of its own
 *       expiry, the end of its pin and that of its hold. The row keeps it so with each change, so
 *       no query and no job has to know of pins and holds to leave what they keep. What it would be
 *       without them is in {@code own_expires_at}. Where a pin has no end it is a year that nobody
 *       will see.
 *   <li>A pinned or held snapshot is not removed, by whatever way; who removes asks with the row
 *       locked. A pin is lifted by whoever may delete. A hold ends at its time and no sooner, and
 *       only its end can be moved, further away.
 *   <li>What is deleted, expires or goes by a policy is {@code TRASHED} for the time that its
 *       project has for that at this moment, which its row remembers ({@code cleanup_after});
 *       without such a time, and in the purge of a closed project, that is left out. Brought back
 *       it is what it was. A policy that let it go does so again by its next run unless somebody
 *       pins it. An import knows no trash: what lay there comes back saved and without its name.
 *   <li>Pins, holds and what they do to the expiry are one transaction each with their audit entry.
 *       After a kill they are there whole or not at all, and no removal has come between.
 *   <li>Locks are taken in the order sandbox to be captured, quota, and snapshot, quota, sandbox of
 *       a finished capture. The two cannot meet: the first never locks a snapshot's row, and a
 *       sandbox is in one capture at a time.
 *   <li>The state of a pause ({@code PAUSE}) and what a fork captures in passing ({@code FORK}) are
 *       in no list. A pause never expires; it goes when its sandbox has gone on or ended. What was
 *       captured in passing goes when the last fork has started, and expires soon if the server
 *       dies before.
 *   <li>Deleting again what awaits its clean-up is no deletion, but has a clean-up that failed
 *       tried again at once.
 *   <li>A snapshot is removed rows first, objects later, row last. A live sandbox made from it
 *       keeps it from being deleted; both sides lock the snapshot's row, so neither can slip past
 *       the other.
 *   <li>Whether a snapshot can be restored is answered by the function {@code snapshot_verdicts}
 *       from stored facts ({@link dev.holdfast.snapshot.Verdicts}): its state and expiry, its
 *       parts, and what the reachable workers offer. The restore goes by the same answer. One
 *       statement answers for a whole list, and states that need the same share the answer.
 *   <li>A restore that fails all the same leaves a doubt, which is shown and reported and does not
 *       refuse the next one: the cause may be the host's. Parts that are missing or damaged do
 *       refuse it. A restore that works, or a scrub that finds all whole, ends both.
 *   <li>What has expired was over at that moment, whenever a job came by and whoever asks: {@link
 *       dev.holdfast.snapshot.Gone} says the same before and after its row has gone.
 *   <li>How long one is kept is settled when it is saved ({@link
 *       dev.holdfast.snapshot.Retentions}). Only somebody who says so moves it, into the future and
 *       within the policy.
 * </ul>
 *
 * <p><b>What outlives the database</b>, column by column.
 *
 * <ul>
 *   <li>In the manifest, which is written once, before the row says {@code SAVED}: the IDs
 *       (snapshot, upload, project), kind, short name and tag, source and parent, template and its
 *       digest, worker, size, {@code secured}, {@code memory}, lifecycle with idle time, network,
 *       metadata and environment, the fingerprint ({@code runtime_id}, {@code platform}, {@code
 *       architecture}, {@code cpu_features}, {@code agent_protocol}, {@code state_format}), how
 *       long it stood still, when and by whom it was made, when it was saved, its first expiry. A
 *       test holds the entity's fields against it.
 *   <li>In the amendment, because it may change afterwards: {@link dev.holdfast.snapshot.Fact}, of
 *       which each is one line: {@code expires_at}, that a name was given up ({@code name_held}),
 *       {@code note} and {@code labels}, and {@code pin} and {@code hold} with all their columns;
 *       its {@code expires_at} is then the own one. A transition that changes one of them counts
 *       {@code change_number} up and is told to {@link dev.holdfast.snapshot.Changes}. A row that
 *       was never changed has none.
 *   <li>Derived by an import: {@code state} and {@code phase} (what has a manifest is saved),
 *       {@code logical_bytes}, {@code stored_bytes}, {@code bytes_done} and {@code bytes_expected}
 *       (from the parts), {@code parts_state} (whether they are there), {@code name_held} (the
 *       newest of a name), {@code deadline_at} (of a capture that is over), {@code change_number}
 *       and {@code stored_change} (from the amendment's own number).
 *   <li>Found out anew: {@code parts_checked_at} by the next scrub, {@code restore_failure}, {@code
 *       restore_failed_at} and {@code last_restored_at} by the next restore.
 *   <li>Not worth keeping: {@code retention_seconds} (its expiry came of it), {@code
 *       expiry_warned_seconds} (rather a second warning than none), the idempotency key (whoever
 *       repeats the capture had its answer), {@code version} (it counts the changes of the row
 *       itself), {@code amend_attempts} and {@code amend_after}. Failure, removal and clean-up
 *       belong to rows without a manifest; what became of those is in tombstones, which are not in
 *       the store: what was removed has nothing there that an import could bring back.
 * </ul>
 *
 * <p><b>Out of scope.</b> Lists: room {@code inventory}. Writing the state: room {@code capture}.
 * Reading it back: rooms {@code restore} and {@code worker}. Objects: room {@code storage}.
 */
package dev.holdfast.snapshot;
