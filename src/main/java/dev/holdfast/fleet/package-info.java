/**
 * The workers there are: what each one offers, how long its lease lasts, and which one takes the
 * next sandbox.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.fleet.Workers}: announce, renew, pick. {@link
 * dev.holdfast.fleet.Publications}: which builds and images were published, and whether anybody
 * needs them.
 *
 * <p><b>Facts that must hold.</b> A worker whose lease is over, or that lacks something, gets no
 * new work, and the refusal says exactly what is missing. What it lacks for the first generation
 * alone keeps only sandboxes of that one away. A build or an image is removed from the store only
 * under the lock of its row, which whoever publishes it takes first.
 *
 * <p><b>Out of scope.</b> The machines of a worker: room {@code worker}.
 */
package dev.holdfast.fleet;
