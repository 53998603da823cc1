/**
 * What happened, told to every node: each transition of a sandbox or a capture goes to the topic
 * {@code holdfast.events} in the transaction that made it.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.event.Events} publishes inside the caller's
 * transaction; {@link dev.holdfast.event.Waits} lets a request wait for a state without a thread.
 *
 * <p><b>Facts that must hold.</b> An event is a hint and never the truth: whoever gets one reads
 * the row again, so a lost, late or doubled event does no harm. A waiter looks once right after it
 * has registered (nothing can slip between its first look and its registration) and then again
 * every second even when no event comes.
 *
 * <p><b>Out of scope.</b> Webhooks and the browser's event stream: they listen to the same topic
 * from their own rooms.
 */
package dev.holdfast.event;
