/**
 * Endpoints that are told what happens in their project, by signed HTTP requests.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.webhook.Webhooks} keeps the endpoints; {@link
 * dev.holdfast.webhook.Deliveries} makes deliveries from the log of events, hands them out and
 * settles them; {@link dev.holdfast.webhook.Dispatcher} does the sending of this node.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>An endpoint gets every event of its types from its beginning on, at least once. The ID of
 *       the event is the delivery's, however often it is sent, so a double is known by it.
 *   <li>Of one subject nothing is sent before all that happened to it earlier is taken or given up.
 *       Of several subjects the order is not kept: one that fails does not hold up the others.
 *   <li>Any node takes what is due, with a claim that ends by itself: what a node took that died is
 *       sent by another.
 *   <li>What fails is tried again for a day, later each time. An endpoint that takes nothing for
 *       three days, or answers 410, is disabled, and an event says so. Enabled again, it goes on
 *       where it was: nothing is lost of what is still kept.
 *   <li>A delivery goes only to an address that was looked at, and to none inside ({@link
 *       dev.holdfast.webhook.Reach}) unless the operator allows it. No redirect is followed, and an
 *       endpoint can hold a thread only for as long as one try may take.
 * </ul>
 *
 * <p><b>Decisions.</b> Signatures and headers are those of Standard Webhooks, because receivers
 * have libraries for it. The secret is made from the server's own and a number, so that no table
 * holds what signs; a rotation is the next number. Deliveries are rows of their own and no place in
 * the log alone, because each is tried, shown and repeated by itself. Bodies are made from the log
 * when they are sent. What concerns any number of them (a replay, the end of a pause, a removal)
 * goes in steps, each a transaction of its own. The platform's HTTP client is not used: it looks a
 * name up by itself, and what was checked need not be what is connected to.
 *
 * <p><b>Out of scope.</b> What an event is: {@code event}. The HTTP face: {@code api}.
 */
package dev.holdfast.webhook;
