/**
 * The door: the deployment below {@code /console/openid} that WildFly's OpenID Connect client
 * guards.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.door.DoorServlet} hands whoever the client lets through
 * to the room {@code openid} and sends the browser on to the console; {@link
 * dev.holdfast.door.RefusedServlet} is the page for whomever the client refuses.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>These classes are in {@code holdfast-openid.war} and not in {@code holdfast.war}, whose
 *       classes they use: only here is the client to be seen.
 *   <li>Whoever shows an access token to it instead of coming from the provider has no ID token,
 *       and is refused.
 *   <li>Its session lives from the provider's answer to the redirect behind it; what the client has
 *       put into cookies is taken away with it.
 *   <li>Requests for sandboxes pass it by: the gateway stands in front of it as it does in front of
 *       the rest, because its extension is named in this deployment too.
 * </ul>
 *
 * <p><b>Out of scope.</b> Who may come in ({@code openid}).
 */
package dev.holdfast.door;
