/**
 * This node as a worker: the sandboxes that run here, from start to end.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.worker.LiveSandboxes}: which sandboxes can be talked to
 * here. {@link dev.holdfast.worker.Machines}: start, freeze, end. The listeners take what {@code
 * holdfast.runtime} asks of this worker, and of the dead letters the starts; {@link
 * dev.holdfast.worker.WorkerNode} begins and ends it all, and {@link dev.holdfast.worker.Roster}
 * keeps machines and rows together.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>A machine exists only for a row that names it: the row is claimed with the machine's ID
 *       before the machine is made. At start, machines that live rows name are adopted, the others
 *       are removed; live rows whose machine is not there end as {@code worker lost}.
 *   <li>A sandbox is in the registry before its row says RUNNING and leaves it before its machine
 *       is ended, so whoever was told that it runs can use it, and whoever was told that it ended
 *       cannot.
 *   <li>Of a start and the end of its sandbox the one that comes second cleans up: an end finds the
 *       machine by its row, a start that finds its row ended kills the machine it has made.
 *   <li>What this worker is to start or to end it finds by itself within fifteen seconds, whether
 *       it was told or not ({@link dev.holdfast.worker.UnheardStarts}).
 *   <li>An owner is told of a failure in our own words ({@link dev.holdfast.worker.Explanation});
 *       the log has the exception.
 *   <li>The rules of a machine follow its row, also after a restart: {@link
 *       dev.holdfast.worker.Networks} reads the row, changes the rules and reports, one sandbox's
 *       changes after each other.
 *   <li>A sandbox's end at its timeout is a tick of this worker, four times a second, that asks the
 *       row again before it acts.
 *   <li>A clone is identified (own ID, host name, randomness) before the first outside request
 *       reaches it.
 *   <li>What a sandbox uses is read on the host, every five seconds; no sandbox is asked.
 *   <li>A clean stop ends what runs here as {@code worker stopped} and leaves nothing on the host;
 *       a kill leaves the sandboxes running for the next start. Where others can go on with them,
 *       or it is told to, the stop waits first until they are paused ({@link
 *       dev.holdfast.worker.ServerStop}): before any part of the application stops, since no order
 *       among those would do. The container stops EJBs in none, and listeners already when the
 *       server suspends.
 *   <li>Nothing runs here when the lease is over ({@link dev.holdfast.worker.Lease}), by a clock of
 *       this process and on a thread of its own: the data plane finds no sandbox from that moment
 *       on, and the machines end. Their rows end when the database can be asked again. Before that
 *       it is asked once more, for a process that was stopped may not have been given up; and a
 *       node that is alone has a lease that nothing ends.
 *   <li>The lease is renewed over connections that are given up when they are silent for seconds
 *       ({@link dev.holdfast.fleet.Renewals}): while the database can be reached at all, none is
 *       over for want of one.
 *   <li>A server whose name another one has by now takes nothing more from the broker ({@link
 *       dev.holdfast.worker.Deliveries}), so all of it reaches the other.
 *   <li>A sandbox with an idle timeout is asked for running commands only while nobody is there,
 *       and no longer than until it says that none runs: commands start by traffic. It can keep
 *       itself by what it says, up to its lifetime. The time of an adopted one begins anew.
 * </ul>
 *
 * <p><b>Out of scope.</b> How machines are made: room {@code runtime}. What is said to the agent:
 * room {@code agent}. Which worker takes a sandbox: room {@code fleet}.
 */
package dev.holdfast.worker;
