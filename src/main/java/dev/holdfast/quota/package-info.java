/**
 * What a project may store: limits, reservations, settlement.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.quota.Quotas}: reserve before a capture is accepted,
 * settle with the true size when it is saved, release when it fails, free when its objects are
 * gone.
 *
 * <p><b>Facts that must hold.</b> Whatever takes room happens under the lock of the project's usage
 * row, and every change in the transaction of the state it belongs to. What is being captured and
 * what awaits its cleanup counts. The states of paused sandboxes count as bytes and not as
 * snapshots, and never stand in the way of a pause.
 *
 * <p><b>Out of scope.</b> Who may raise a limit: room {@code access}.
 */
package dev.holdfast.quota;
