/**
 * Persons whom an OpenID provider vouches for: what their roles give them here, and how they come
 * into the console.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.openid.OpenIds}: the door opens and closes; somebody
 * stands at it with the provider's word, and comes in or is told why not. {@link
 * dev.holdfast.openid.RoleMapping} says what roles give; {@link dev.holdfast.openid.Claims} is what
 * the provider's word holds.
 *
 * <p><b>The door</b> is a deployment of its own below {@code /console/openid} (room {@code door},
 * files in {@code src/main/openid}), because WildFly's OpenID Connect client guards whole
 * deployments, and this one is guarded by keys. An operator deploys it, or does not: without it
 * nothing of this is to be seen or reached.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>Only the door calls {@link dev.holdfast.openid.OpenIds#enter}, with an ID token that the
 *       client has verified: signature, issuer, audience, time, nonce. Here it is only read.
 *   <li>A role gives exactly what it names or what the operator's mapping says; a role that says
 *       nothing here gives nothing and is no error. Whoever is left with nothing is refused, and
 *       told which claim was read, what it held and what it should hold.
 *   <li>A sign-in ends after {@code holdfast.openid.longest} or with the ID token, whichever is
 *       sooner. Until then a role that is withdrawn holds on; there is no other way to learn of it.
 *   <li>A person is known by the provider's {@code sub}; their name is for people and may change.
 *   <li>Where the browser goes after signing in is the console and nothing that a request says.
 * </ul>
 *
 * <p><b>Decisions.</b>
 *
 * <ul>
 *   <li>State, nonce and PKCE are the client's own, on by {@code oidc.json}. The scopes are not in
 *       it but in the address of the button, because there the client takes them at every stability
 *       level of the server.
 *   <li>Roles name projects by slug, which people can read; at sign-in it is resolved to the ID, so
 *       that another slug takes effect with the next one.
 *   <li>The ID token is kept with the sign-in as a part of the address where the provider hears of
 *       the end, because providers ask for it there; nothing else of the provider's is kept.
 * </ul>
 *
 * <p><b>Out of scope.</b> The sign-in itself, its cookie and its checks ({@code console});
 * programs, which send keys.
 */
package dev.holdfast.openid;
