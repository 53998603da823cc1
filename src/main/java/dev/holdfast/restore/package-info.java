/**
 * What a new sandbox starts from, and starting it.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.restore.Restores}: open a sandbox from a reference and
 * wait until it runs. {@link dev.holdfast.restore.Connects}: a sandbox that runs, resumed if it was
 * paused. {@link dev.holdfast.restore.Forks}: many like one that runs. {@link
 * dev.holdfast.restore.Replacements}: another state for one that runs.
 *
 * <p><b>The flow.</b> A reference is resolved to a template or a snapshot. For a snapshot the
 * verdict is asked, and the sandbox row that occupies it is inserted, under the lock of the
 * snapshot's row: a deletion that comes at the same moment sees the occupant or wins before it. The
 * worker then does the rest and reports.
 *
 * <p><b>References.</b>
 *
 * <ul>
 *   <li>With a slash it is a snapshot's qualified name and nothing else; malformed ones fail.
 *   <li>Without one it is a snapshot's ID if it is a UUID; if there never was such a snapshot, or
 *       it is no UUID, it is a template.
 * </ul>
 *
 * <p><b>Facts that must hold.</b> Restoring a snapshot needs the permission to read snapshots
 * besides that to use sandboxes. A sandbox that does not run in time is ended, so its caller knows
 * of every one that goes on. A failed restore leaves the snapshot as it was and the sandbox ended,
 * with its reason. The snapshot itself is never changed.
 *
 * <p><b>Races.</b> A restore and the expiry, the deletion or the clean-up of its snapshot: whoever
 * comes first to the snapshot's row. One that won occupies it, and every job waits for its end,
 * also while its machine is still being made. One that lost is told what became of the snapshot,
 * with the same reason before, while and after its row gives way to the tombstone.
 *
 * <p><b>Overrides.</b> A restore may say otherwise than its snapshot: lifetime, idle timeout,
 * tokens, network, labels, what happens at the timeout, and its own ID. Environment, mounts,
 * function, build and image are the snapshot's, and so are labels under {@code fc.}; to name one is
 * refused by its name. What is absent, null or empty says nothing.
 *
 * <p><b>Volumes.</b> A fresh sandbox mounts what its request names; whatever is made from a saved
 * state mounts what that had mounted, with what is in the volumes then. The rows of all of them are
 * locked until the sandbox's row is there, so that a deletion sees it or comes before it.
 *
 * <p><b>In place.</b> {@link dev.holdfast.restore.Replacements}: a snapshot takes the place of a
 * running sandbox's state, under its ID, tokens, labels, policies and end. It is a pause that does
 * not end in one: the state before is captured by a run that never thaws the machine, as a snapshot
 * of kind AUTO, and where a pause would say PAUSED the same transaction has a machine made from the
 * other state. The sandbox's row alone says how far it is:
 *
 * <pre>
 *          begin                    state before saved               machine runs
 * RUNNING ------> PAUSING(other) --------------------> RESUMING(other) ---------> RUNNING, hangs on the other
 *    ^               |                                    |
 *    +---------------+ capture failed, cancelled,         | no machine: told, and
 *      as before       past its deadline                  v
 *                                              RESUMING(state before) ----------> RUNNING, hangs on that
 *                                                         | no machine either; or the worker is
 *                                                         v lost or stopped in RESUMING
 *                                                      PAUSED(state before)
 * </pre>
 *
 * <ul>
 *   <li>What it names it occupies: the snapshot it hung on and the other one until the state before
 *       is saved, then that and the other one, at last the one it runs from. Each step is one
 *       transaction, so no deletion and no expiry comes between.
 *   <li>Quota, verdict, place, template and the sandbox's state are asked before anything stands
 *       still.
 *   <li>A broker that is away keeps none from going on once it has begun: the worker is told of the
 *       next machine after the step has committed, and finds the row by itself if it is not.
 *   <li>A server that dies before the state before is saved finds the machine, which goes on, and
 *       fails the capture. One that dies later finds a row without a machine, or a machine of which
 *       nobody knows how far it came: that is removed, and the sandbox goes on from the state
 *       before. Machines that no row names are nobody's.
 *   <li>Others meanwhile: a capture, another restore and a change of the lifetime are refused as
 *       busy, a pause, a kill and a connection wait. An end wins in every state; a state before
 *       that was saved stays.
 *   <li>A caller who leaves changes nothing. Who waited and was overtaken by the next restore in
 *       place is told of the sandbox as it is then.
 *   <li>The end of its lifetime stays where it was if the restore succeeds; the way back is a
 *       resume, with the lifetime it had from then on.
 *   <li>A paused sandbox is refused: its state belongs to no list and no count, and a limit that it
 *       has not been asked for must not be broken in passing. Connect first.
 * </ul>
 *
 * <p><b>Clones.</b> A clone has its own ID, host name, machine ID, tokens and fresh entropy before
 * the first request reaches it. Its connections to outside are reset. What programs keep in their
 * memory nobody can renew from outside; the report that stays with the sandbox says so.
 *
 * <p><b>Out of scope.</b> Machines, images on the worker's disk, re-identification: room {@code
 * worker}.
 */
package dev.holdfast.restore;
