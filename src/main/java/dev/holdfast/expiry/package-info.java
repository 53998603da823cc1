/**
 * What ends by itself: captures past their deadline, expired snapshots, and the objects of removed
 * ones; and what holds catalogue and store together.
 *
 * <p><b>Operations.</b> Jakarta Batch jobs, one XML each: {@code reap-stalled-captures}, {@code
 * expire-snapshots}, {@code apply-retention}, {@code purge-trash}, {@code clean-up-objects}, {@code
 * reconcile-usage}, {@code clear-autosaves}, {@code sweep-orphans}, {@code verify-parts}, {@code
 * purge-blobs}, {@code warn-of-expiry}, {@code reap-lost-workers}, {@code write-amendments}, {@code
 * purge-metrics}, {@code purge-audit}, {@code verify-audit}, {@code purge-events}, {@code
 * purge-tombstones} and {@code purge-templates}, which also fails builds past their deadline. The
 * room {@code job} starts them; {@code import-catalogue} nobody but an operator.
 *
 * <p><b>Facts that must hold.</b> A job only catches up: no deadline or expiry waits for it to take
 * effect. A chunk is one transaction, and one failure never stops the rest. Where many are expired
 * or cleaned up a chunk that fails is tried again item by item, and what fails alone is left for
 * the next run as a finding. A job that was killed goes on after its last chunk. What is due is
 * read by keyset, so any number of it takes the same memory. Objects go before their row, and
 * before any row is locked; a missing object counts as deleted.
 *
 * <p>{@code reap-stalled-captures}, {@code reconcile-usage} and {@code verify-parts} have one item
 * a chunk and no retry: a chunk is taken apart so that one item does not undo the work of others,
 * and here it has no others. Their items are few or long (all parts of a snapshot are read, a
 * project is locked while it is counted), what fails is skipped, and the next run asks anew. {@code
 * purge-tombstones} is a batchlet, because it is one statement that looks at no row: none can fail
 * alone, there is nothing to go on from, and the next run forgets what is left.
 *
 * <p>{@code apply-retention} asks the policies ({@link dev.holdfast.retention.Reviews}) of the
 * moment at which it begins, and goes on with that moment after a restart. Who is pinned, held or
 * occupied by the time its chunk comes stays.
 *
 * <p>The sweep removes only objects whose snapshot left a tombstone. Objects of which the catalogue
 * knows nothing may belong to a newer catalogue than this copy of it, so they stay until an
 * operator says {@code delete=true}; until then they are findings. For the same reason {@code
 * purge-blobs} keeps what the manifest of an unknown snapshot names.
 *
 * <p><b>Amendments.</b> What is changed of a saved snapshot is in its row first and then, beside
 * its manifest, in the store. {@link dev.holdfast.expiry.Amender} writes it right after the commit
 * and outside any transaction: who makes the change never waits for the store, nor fails with it.
 * What that misses (the server died, the store was out of reach, another room forgot to tell) the
 * job {@code write-amendments} finds within a minute by the numbers in the row; what cannot be
 * written comes later each time, and after what nobody has tried. So the loss of a database loses
 * the changes of its last moments at the most. Both nodes may write the same one; what comes too
 * late for a snapshot that was removed is taken back by its writer, or left to the sweep. An
 * amendment is some hundred bytes and is charged to nobody.
 *
 * <p>The catalogue is the truth. Where the store is ahead of it (it is an older copy, and nobody
 * has run the import), the next change of the row takes a number beyond the store's and supersedes
 * it.
 *
 * <p><b>Import.</b> The manifest holds all that a row holds when it is saved and the amendment what
 * was changed since, so a row is made from these two alone. An expiry by the amendment is taken as
 * it is: one that is past ends like every other, by the next run of {@code expire-snapshots}. One
 * that is past by the manifest, where no amendment can be read or the last one is torn, comes back
 * without its name and for a week: it may have been moved by a build that wrote no amendments, or
 * in the last moment, and nobody could ask. Nothing that the catalogue knows is changed, but for
 * two things: of two snapshots under one name the older gives it up; and a row that has seen fewer
 * changes than its amendment takes these, for then the catalogue is an older copy. A project that
 * nobody knows is made without a slug rather than its snapshots left out: what is stored is
 * somebody's, and is charged. A template that nobody knows counts as deleted, because a snapshot
 * does not say how to start from it.
 *
 * <p><b>Scrub.</b> Missing and changed parts turn the verdict, and whole ones turn it back. A store
 * that cannot be read, or in which there is nothing at all, says nothing of its parts, so what is
 * known of them stays. What was not whole is read again by each run: its store may be back. An
 * amendment that is gone or torn only makes its row due to be followed again.
 *
 * <p><b>Out of scope.</b> The end of a sandbox at its timeout: a tick of its worker. Parameters,
 * schedule, executions and findings: {@code job}.
 */
package dev.holdfast.expiry;
