/**
 * What is in a snapshot, and what differs between two, without a restore for use.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.contents.Contents}: list a directory, read a file, pack
 * a directory. {@link dev.holdfast.contents.Comparisons}: have two snapshots compared, see how far
 * that is, read what came of it, end it.
 *
 * <p><b>The flow.</b> A peek of the snapshot is opened on a worker that could restore it, or the
 * one that is open is used; a program of ours looks around in it and says what it finds. For a
 * comparison two peeks tell their whole trees at once, in the same order, and the two are merged as
 * they come; then the digests of what may differ are asked for, and then what runs and what is
 * installed.
 *
 * <p><b>What counts as a change.</b> Type, mode, owner, size of a file, target of a link, numbers
 * of a device, and content. Content is read only where size and type are the same and the times are
 * not: the time of the last change of anything ({@code ctime}) is the kernel's own and cannot be
 * set back from inside. Times alone are no change, nor is the size of a directory. Extended
 * attributes and which names are links to one file are not looked at.
 *
 * <p><b>What is left out</b>, and said so in each answer: {@code /proc}, {@code /sys} and {@code
 * /dev}, which the machine makes up, and {@code /run/holdfast}, which is the agent's.
 *
 * <p><b>What may run before.</b> A machine that is restored goes on where it was. Its agent is
 * asked for nothing before everything else in it is stopped by one signal that nothing can refuse;
 * that is some hundred milliseconds, in which programs go on that the snapshot caught in the middle
 * of something. They have no network. What they write in that time is in what is shown: a program
 * that writes all the time has written a little more than in the snapshot.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>Looking needs what a restore needs, and is refused for what a restore is refused for, in
 *       the same words.
 *   <li>Nothing of a path from inside is ever a path on the host. Links are followed inside. What
 *       comes out is bounded in number, length and time, and what is against its order ends it.
 *   <li>Who looks into a snapshot is in the audit once per peek, not for every listing; a
 *       comparison once, when it is accepted.
 *   <li>A deletion of a snapshot wins: whoever reads from it is cut off, and its comparisons go
 *       with its row.
 *   <li>A comparison is kept for a while for whoever asks again, because neither side ever changes.
 *       Its list of changes is bounded, its summary counts all.
 * </ul>
 *
 * <p><b>Decisions.</b> A machine, and not a reader of images: only the runtime that wrote a memory
 * image can read it, and files that were written and not flushed are nowhere else. A program that
 * travels with each request, and no operations of the agent: the agent of a saved memory is as old
 * as its snapshot, and what was saved before an operation was there could never be looked into.
 * Comparisons take turns on a worker, because each needs two peeks and two that held one each would
 * wait for each other.
 *
 * <p><b>Out of scope.</b> Machines: {@code worker}. Rows of peeks: {@code peek}.
 */
package dev.holdfast.contents;
