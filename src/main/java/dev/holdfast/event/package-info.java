/**
 * What happened: a log of every transition for outsiders, and hints for those who wait.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.event.Events} publishes inside the caller's
 * transaction; {@link dev.holdfast.event.EventLog} is what was published, numbered, as long as it
 * is kept; {@link dev.holdfast.event.Waits} lets a request wait for a state without a thread; an
 * {@link dev.holdfast.event.Errand} is what somebody does on hints, however many there are. {@link
 * dev.holdfast.event.Broker} hands work to workers.
 *
 * <p><b>The log.</b> What is kept of an {@link dev.holdfast.event.Event} are its {@link
 * dev.holdfast.event.Notice}s. They are written in the transaction of what they tell, so a crash
 * neither loses nor invents one. Facts that hold of it:
 *
 * <ul>
 *   <li>Each transition is in it once, under a number that never changes.
 *   <li>Who has read up to a number has seen all there ever is up to it: no lower one comes later.
 *   <li>Of one subject the order is that in which it happened. Whoever writes of a subject holds
 *       the lock of its row; {@code publish} comes after that lock in every room.
 *   <li>Of two subjects the order may differ from that of their commits by the time that passes
 *       between two readings.
 *   <li>Who was away for longer than events are kept is told that there is a gap, and not served as
 *       if there were none. So is who names an event that this log has never had, after the
 *       database was replaced by an older copy.
 * </ul>
 *
 * <p><b>The hints.</b> A hint is never the truth: whoever gets one reads the row or the log again,
 * so a lost, late or doubled one does no harm. A waiter looks once right after it has registered
 * (nothing can slip between its first look and its registration) and then again every second even
 * when no hint comes. A database that is away for some seconds fails no wait. Whoever waits when
 * the server is stopped is answered before anything it waits for is taken down.
 *
 * <p><b>Decisions.</b> Numbers are given after the commit, by whoever reads, one at a time under
 * the log's only row ({@link dev.holdfast.event.Pending}). A sequence would not do: its numbers
 * commit in another order, and a reader misses the late ones. Numbers of transactions would not do
 * either: a transaction gets its own long before it comes to a subject, so that of two which change
 * one subject the later may have the lower; one that hangs in doubt would hold up every reader; and
 * a database that was restored elsewhere begins with low ones again. The price is that each event
 * is written twice, the second time by the thousand.
 *
 * <p>Hints leave after the commit and not in it, unlike the requests to workers. A request must be
 * neither lost nor sent for nothing; a hint may be both, and with it every transition would be a
 * transaction over two resources: three more writes to disk on the way to each answer. What needs
 * every transition reads the log.
 *
 * <p>A broker that is away keeps nobody from what needs no worker. What does need one is refused by
 * {@link dev.holdfast.event.Broker} in the transaction that would have begun it, in seconds, for
 * every reason for which a message cannot be sent. Kills are hints too: they leave after the
 * commit, and a worker looks every few seconds for what has ended without its knowing. So is the
 * start of the machine that goes on in a restore in place, for which a state was saved already; and
 * a worker looks for what it was to start.
 *
 * <p>Changes of a sandbox that are no transitions (its lifetime, its network) are hints only. What
 * a job did is told by the node that ran it, when it begins and ends, because the repository of
 * jobs has transactions of its own. So of one execution two ends may be told: a node that is killed
 * after it has told the end and before the repository has it leaves an execution that the next
 * incarnation takes for broken off, and that then is {@code failed} as well, with words that say
 * who goes on. None is lost: what was not told by then is told by whoever gives it up, with the
 * row.
 *
 * <p><b>Out of scope.</b> How the log is told: {@code api}, page by page and as a stream.
 */
package dev.holdfast.event;
