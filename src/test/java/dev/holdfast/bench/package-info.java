/**
 * Measures what the product adds to bare runsc: {@code mvn -Pbench}.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.bench.Bench} starts an installation of its own,
 * measures and prints one table. {@link dev.holdfast.bench.InventoryBench} does the same for the
 * list of a project with a million snapshots beside the bare SQL of the same pages, {@link
 * dev.holdfast.bench.ExpiryBench} for the expiry of many snapshots beside one bare update, {@link
 * dev.holdfast.bench.NodeBench} for what a restore, a clone and a capture cost a node, {@link
 * dev.holdfast.bench.HopBench} for a sandbox asked for on another node beside its own, {@link
 * dev.holdfast.bench.StoreBench} for the store in a bucket beside the one in a directory, {@link
 * dev.holdfast.bench.ClusterBench} for two controls with one worker and with two.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>Both sides do the same to the same: the bare machine copies the bundle of a machine that
 *       the product made, and runs the same build with the same flags.
 *   <li>Both sides are measured in turn within one run, each at least 20 times; the first of each
 *       warms up and does not count.
 *   <li>The bare side is the runsc command alone, from its start to its end: no agent, no store, no
 *       digest.
 * </ul>
 *
 * <p><b>Out of scope.</b> Machines with much memory.
 *
 * <p><b>Decisions.</b> The product is measured from outside by HTTP, because a caller waits for
 * that; only the freeze is what the product says of itself, since nobody outside can see its edges.
 */
package dev.holdfast.bench;
