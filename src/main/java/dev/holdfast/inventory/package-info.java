/**
 * The list of what a project has saved, is saving and is getting rid of, and deletion in bulk.
 *
 * <p><b>Words.</b> A <i>selection</i> says which snapshots are meant, by their {@link
 * dev.holdfast.inventory.Status} and by filters; an <i>order</i> how they follow one another; a
 * <i>place</i> is where in that order a page ends.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.inventory.Listings}: a page of a selection in an order,
 * and how many there are. {@link dev.holdfast.inventory.BulkDeletion}: what the deletion of many
 * would meet, and the deletion. {@link dev.holdfast.inventory.Lineages}: the tree. {@link
 * dev.holdfast.inventory.Titles}: what snapshots are called, for lists of other things.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>Every snapshot that its project may name has one status, and the list of that status and of
 *       {@code all} shows it. The states of pauses and what a fork captures in passing are in none.
 *   <li>Expiry takes effect at the instant: a snapshot that has expired and that no job has met yet
 *       awaits its clean-up, also while occupants keep it, and its bytes count. It is never shown
 *       as saved.
 *   <li>Every order is total, by key and then by ID, and one direction is the exact reverse of the
 *       other. What has no key yet comes last upwards: an upload has no expiry, an unnamed snapshot
 *       no name. Something inserted moves no page that is named by a place.
 *   <li>A place belongs to its project, selection and order; with another one it is refused.
 *   <li>No page costs more for what the project has besides: each status is one range, or the union
 *       of a few, of the index of the order, and a filter that is rare has an index of its own. A
 *       page by number reaches as far as there is counted, 10,000 rows; a place reaches everything.
 * </ul>
 *
 * <p><b>Search.</b> Part of a snapshot ID, of an upload ID or of the name it has or had, in any
 * case. The project's slug may stand before the name, whole or by its end, and alone finds nothing:
 * it is the same for all. Short texts are refused because they find everything.
 *
 * <p><b>Restorability.</b> The verdict of one snapshot costs a look at every worker, so a filter by
 * it does not ask for each: snapshots that need the same of a worker share the answer, and there
 * are few kinds. Parts and doubts are columns.
 *
 * <p><b>Deletion in bulk.</b> Each snapshot is a transaction of its own, so that one failure stops
 * nothing, and has an outcome with the reason that its own deletion would have had. What is gone or
 * going is no failure: whoever asks again asks for the failures only. By a selection nothing is
 * deleted that nobody has looked at: a preview gives a token, which is good for that selection,
 * leaves alone whatever was made after it, and is refused when more match than it counted. A call
 * deletes 1,000 at the most and ends in time; its answer has what goes on with the rest. The audit
 * tells of each by itself, also of what was refused.
 *
 * <p><b>Lineage.</b> {@link dev.holdfast.inventory.Lineages}: what a snapshot descends from, up to
 * the root, and what descends from it by one step, in two statements whatever there is. A tree is
 * walked by asking for a child's lineage. Removed snapshots have their place in it as long as their
 * tombstones stand; after that they are an ID without a parent, and what is above them is not known
 * from below. A circle, which only a broken import could make, ends at the bound. Kept for a
 * sandbox or a fork, or come to nothing: in no tree.
 *
 * <p><b>Out of scope.</b> What a snapshot is and how one is removed: room {@code snapshot}.
 *
 * <p><b>Decisions.</b> SQL and no criteria, because the plan is what this room is about: it is the
 * text of {@link dev.holdfast.inventory.ListingText}. Each statement is planned for its values,
 * because how rare a text or a filter is decides between its own index and that of the order; the
 * planner is told nothing else, so that what the bench and the tests explain is what runs. What has
 * expired is few beside the rest and lies together in the order of expiries only, so it is read
 * from there whatever the order. Rows of a page are read to be looked at, and the database answers
 * for the verdicts of all of them at once.
 */
package dev.holdfast.inventory;
