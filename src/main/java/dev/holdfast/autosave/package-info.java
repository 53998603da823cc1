/**
 * Sandboxes that are captured by themselves: when, and how many of these captures are kept.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.autosave.Autosaves}: set, read and remove a sandbox's
 * policy, capture for one of its causes. {@link dev.holdfast.autosave.Partings}: the last capture
 * before a kill, and before the timeout of what a drain has paused. {@link
 * dev.holdfast.autosave.Keeps}: what is too many goes. The vigil looks each time the worker's meter
 * has read its sandboxes, every five seconds.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>A policy captures by the one way there is for all captures ({@link
 *       dev.holdfast.capture.AutoCaptures}): the same freeze, seal, quota, expiry and failure. What
 *       it makes is {@code AUTO}, without a name, made by {@code system}, and labelled with its
 *       cause. A label can be changed by people; which snapshots are a policy's says a table that
 *       they do not reach.
 *   <li>When is in the row, and the row has the last word: two that would capture for one cause
 *       wait for it, and the second finds it done. So a restart, and a sandbox that goes on
 *       elsewhere, change nothing.
 *   <li>A capture that is refused changes nothing but the row, which remembers why, and is told
 *       once ({@code sandbox.capture_skipped}). The next interval, or the next danger, tries again
 *       and nothing sooner. A sandbox that is busy or paused is not refused: its interval stays
 *       over until it runs again.
 *   <li>Any capture of the policy begins its interval anew. An interval is up to a tenth shorter
 *       than it says, by chance, and never longer for want of that; so what began together does not
 *       freeze together. A worker does few at once; the others wait with their interval over.
 *   <li>No policy breaks a sandbox: a timeout and a kill end it whether its last state could be
 *       saved or not.
 * </ul>
 *
 * <p><b>Whether something has changed</b> is what the host sees for nothing ({@link
 * dev.holdfast.autosave.Activity}): a request or connection of the data plane, another amount on
 * the disk, or more processor time between two readings than an idle sandbox takes ({@code
 * idle-percent} of one). A program that works less than that, writes in place and talks to nobody
 * is not seen. What cannot be known counts as changed: after a start, a resume and a restart of the
 * server the first interval captures. What comes while the capture begins may be in it and counts
 * for the next one all the same.
 *
 * <p><b>The last capture is one that never thaws</b>, as a pause is. The sandbox is taken as for a
 * pause, with the reason for which it ends; it stands still from the checkpoint on. When its state
 * is SAVED, or could not be saved, or its time is over ({@code last}), the same transaction ends
 * it. So after a kill nothing runs that is not in the snapshot, and a kill is answered when the
 * state is safe or has failed. Whoever asks for it meanwhile waits, and is then told that it ended;
 * to cancel the capture ends the sandbox at once. It ends later than its timeout by that capture
 * and no more; {@code last} counts from when the sandbox is taken, so that a kill is answered in
 * time whatever the worker has to do first. A server that dies in between lets it go on until the
 * next start, which ends it. What is ended otherwise (closed project, stopped or lost worker, want
 * of memory) is not captured, and neither is a sandbox that somebody paused: nothing of it runs,
 * and its state goes with it.
 *
 * <p>A drain is nobody's wish for the sandbox and takes nothing from it. One that is paused by it
 * when its timeout comes goes on where there is room, and ends there with its last capture. Where
 * none has room for as long as that capture may take ({@code last}) it ends without it, and that is
 * told as any capture that is not taken. What the drain saved cannot be that capture: its manifest,
 * written once, says that it is the state of a pause, which no catalogue made from the store would
 * list.
 *
 * <p><b>In danger</b> is a sandbox whose use of memory, without what the kernel can drop, has
 * reached its threshold. It is captured once for each time that happens: it has to fall ten percent
 * below before that counts anew, and not more often than {@code alarm-pause}. What fills its memory
 * faster than the meter reads is not caught.
 *
 * <p><b>What is kept.</b> After each capture the ones beyond the last N go as by a retention
 * policy, into the trash if their project has one, in one transaction under the policy's row; also
 * those of a sandbox that ended. Pinned, held and occupied ones stay and count as all others, as in
 * room {@code retention}: otherwise what goes would depend on who looks at what. The row remembers
 * that somebody has to look until somebody has; the job {@code clear-autosaves} does what was
 * missed. The project's own retention applies besides.
 *
 * <p><b>Decisions.</b> A policy is the sandbox's and not the snapshot's, and a restore or a fork
 * does not inherit it: whoever makes a hundred forks of one has not asked for a hundred schedules.
 * Removed, it leaves its captures, which then only expire: the next policy does not count them.
 *
 * <p><b>Out of scope.</b> How captures are made: room {@code capture}. What sandboxes use: room
 * {@code worker}.
 */
package dev.holdfast.autosave;
