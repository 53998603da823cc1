/**
 * What an operator is shown of the whole installation.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.operator.Gauges} keeps the gauges that need the
 * database or the broker: what is stored, what lives, what waits. Counters and times belong to the
 * rooms in which things happen; health checks to the rooms whose means they look at.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>A scrape asks nobody: gauges show the last sample. One statement and one look at each queue
 *       make a sample, on a timer of each node, however many series there are.
 *   <li>No statement reads the rows of saved snapshots, of which there may be millions; what is
 *       saved is the sum of the projects' counters.
 *   <li>A sample that is too old shows no number rather than one that was true once.
 *   <li>Every label value is known before the first sample, and all series are there from the
 *       start, zero included; only runs of jobs show what there was in the last hour.
 * </ul>
 *
 * <p><b>Decisions.</b> The gauges tell of the installation and not of the node, so each node
 * answers the same: whoever adds nodes up is wrong, and takes any one. The statement is plain SQL
 * over the tables of several rooms, because one sample is of one moment.
 */
package dev.holdfast.operator;
