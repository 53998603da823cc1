/**
 * What happened, told to every node: each transition of a sandbox or a capture goes to the topic
 * {@code holdfast.events} once the transaction that made it has committed.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.event.Events} publishes inside the caller's
 * transaction; {@link dev.holdfast.event.Waits} lets a request wait for a state without a thread.
 *
 * <p><b>Facts that must hold.</b> An event is a hint and never the truth: whoever gets one reads
 * the row again, so a lost, late or doubled event does no harm. A waiter looks once right after it
 * has registered (nothing can slip between its first look and its registration) and then again
 * every second even when no event comes. A database that is away for some seconds fails no wait.
 * Whoever waits when the server is stopped is answered before anything it waits for is taken down.
 *
 * <p><b>Decisions.</b> Events leave after the commit and not in it, unlike the requests to workers.
 * A request must be neither lost nor sent for nothing; an event may be both, and with it every
 * transition would be a transaction over two resources: three more writes to disk on the way to
 * each answer. What needs every transition (webhooks, audit) reads them from the database.
 *
 * <p><b>Out of scope.</b> Webhooks and the browser's event stream: they listen to the same topic
 * from their own rooms.
 */
package dev.holdfast.event;
