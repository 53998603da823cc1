/**
 * A company's installation as a whole: controls and workers as servers of their own, on one
 * database, one broker and one bucket.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.cluster.ClusterIT} uses it, {@link
 * dev.holdfast.cluster.ClusterSoakIT} takes its parts away one after the other while it is used.
 *
 * <p><b>Facts that must hold.</b> Where a sandbox runs is looked up in the database and never
 * guessed; the place of what a test needs elsewhere is made by leaving room at one worker only.
 *
 * <p><b>Out of scope.</b> How the parts are started: room {@code run}.
 */
package dev.holdfast.cluster;
