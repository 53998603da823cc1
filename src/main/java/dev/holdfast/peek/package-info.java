/**
 * Peeks: machines that only show what is in a snapshot, for a short while.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.peek.Peeks} keeps their rows; {@link
 * dev.holdfast.peek.LookRequests} asks a worker to open one, or to compare two snapshots.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>A peek is no sandbox: it has no ID that anybody can name, no tokens, no events, no network,
 *       and is in no list, count or limit of sandboxes. So it has a table of its own, and no query
 *       over sandboxes had to learn to leave it out.
 *   <li>Its machine is named by its row before it is made, and goes when no row names it.
 *   <li>Of a snapshot there is at most one, which all who look share.
 *   <li>It occupies nothing: a deletion of its snapshot wins, at once.
 *   <li>None outlives its server: whoever starts again forgets the rows of the last run, and its
 *       machines go as those that no row names.
 * </ul>
 *
 * <p><b>Out of scope.</b> The machines: {@code worker}. What is read through them: {@code
 * contents}.
 */
package dev.holdfast.peek;
