/**
 * Runs Holdfast on one machine: PostgreSQL, WildFly and the WAR, for {@code mvn -Prun} and for the
 * tests alike, so that the tests see what a person sees.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.run.LocalServer}: start, stop, kill hard, restart.
 * {@link dev.holdfast.run.Run} is the command. {@link dev.holdfast.run.LocalBucket} is an S3 server
 * with a bucket for who wants the store there. {@link dev.holdfast.run.SharedServer} is the one
 * server of each {@link dev.holdfast.run.Lane} of a test run; {@code *ContainerIT} classes run
 * inside another that starts without the WAR, to which Arquillian deploys {@link
 * dev.holdfast.run.BuiltWar}. {@link dev.holdfast.run.Cluster} is a whole installation: each {@link
 * dev.holdfast.run.Node} a server in a network namespace of its own, with a {@link
 * dev.holdfast.run.Balancer} in front of the controls.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>One home, one owner: the home is locked before anything in it is touched.
 *   <li>Both servers run in sessions of their own. A Ctrl-C reaches a terminal's whole process
 *       group, and PostgreSQL must outlive WildFly, which ends its sandboxes on the way down.
 *   <li>A WildFly that outlived its launcher is ended with KILL: TERM would end its sandboxes, and
 *       the next start is to adopt them.
 *   <li>A recorded process is only touched after its command line says that it is ours, because
 *       process numbers are used again.
 *   <li>The nodes of a cluster have only their network apart: a mount namespace of its own would be
 *       lost with a server that is killed, and its sandboxes' mounts with it.
 *   <li>Lanes share the host and the build's directory and nothing else: no test sees another's
 *       server, and what there is once on a host is had {@link dev.holdfast.run.Alone}.
 *   <li>All state lies in the home. Configuration and WAR are laid anew at each start; broker
 *       journal and transaction log stay, since prepared transactions in the database point into
 *       them.
 * </ul>
 *
 * <p><b>Out of scope.</b> Preparing the host ({@code src/main/sandbox/prepare-host.sh}, which is
 * only called from here) and installations with a database of their own.
 *
 * <p><b>Decisions.</b> Test sources, because the PostgreSQL binaries come as a test dependency and
 * nothing of this belongs in the WAR. PostgreSQL is driven by its own {@code pg_ctl}, which puts it
 * into its own session; the library around the binaries starts it inside ours.
 */
package dev.holdfast.run;
