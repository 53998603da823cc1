/**
 * The sandboxes we know: their life, their timeouts, who they belong to.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.sandbox.Sandboxes}: order, find, kill, end, lifetime,
 * pause and resume, and the steps a worker or a capture reports. {@link
 * dev.holdfast.sandbox.Passages}: waiting, without a thread, for the end of what is under way.
 * {@link dev.holdfast.sandbox.LiveSandboxes}: what runs and what is paused, to be looked through.
 * {@link dev.holdfast.sandbox.Metrics} and {@link dev.holdfast.sandbox.MetricSeriesReader}: what
 * sandboxes used. {@link dev.holdfast.sandbox.NetworkChanges}: what a running sandbox may reach.
 * {@link dev.holdfast.sandbox.SandboxTokens}: the tokens of the data plane.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>The row is the truth; a machine without a live row is ended by its worker. Every transition
 *       is made on a locked row by {@link dev.holdfast.sandbox.Sandbox} itself.
 *   <li>A request to the worker leaves in the transaction that changed the row; but a kill, and the
 *       start of what goes on in a restore in place, after it: the worker also looks for rows that
 *       have ended and for rows that wait for a machine. Doing one twice does no harm: starting is
 *       claimed by writing the machine's ID, ending ends what is there.
 *   <li>A sandbox has ended for its owner when its row says so; it is gone when its worker has
 *       reported that nothing of its machine runs. A kill is answered when it is gone.
 *   <li>A network policy is a value that refuses what it cannot keep. A snapshot has its source's,
 *       and a sandbox made from it inherits what its caller does not override.
 *   <li>A change of the network is in the row before its worker knows of it. Changes are counted: a
 *       later one takes the place of one under way, and who asked for either is answered when one
 *       of them is in force. What cannot be put in force is taken back from the row, and the worker
 *       is told to make its rules what the row says.
 *   <li>A paused sandbox has no machine and names the saved state it goes on from. That state is
 *       kept as long as the row names it: until the machine made from it runs. So a resume that
 *       fails leaves what was there, and the one that succeeds is never undone.
 *   <li>While a snapshot takes the place of its state a sandbox has two of them, and comes out with
 *       one: it is held for the capture of its own, then names both until a machine runs. What it
 *       is made with (image, size, variables) it takes from the state its machine is made from.
 *   <li>It hangs on the snapshot that its state descends from: the one it was made from or last
 *       restored to in place, which it occupies, or as a fork that of its source.
 *   <li>A machine is the sandbox's only if the row names it: one that comes too late, after its
 *       start was given up, finds another name there or none and is ended by its worker.
 *   <li>One of the first generation is never saved: a capture, a pause and a fork are refused in
 *       the transaction that would take it, before anything was reserved.
 *   <li>While it is being captured a sandbox cannot be killed, but it can end: by itself, for want
 *       of memory, or with its worker.
 *   <li>One that is captured for the last time is PAUSING with the reason for which it ends.
 *       Whatever comes next, the end of that capture or another end, it ends for that reason; who
 *       waits for the passage is then told that it ended.
 *   <li>An ID is used once: a caller may choose one, and the row of an ended sandbox says that its
 *       ID is taken. So these rows stay.
 * </ul>
 *
 * <p><b>Out of scope.</b> Machines and agents: room {@code worker}. Lists and shapes for clients:
 * room {@code e2b}.
 */
package dev.holdfast.sandbox;
