/**
 * The web console at {@code /console/}: its files, and who is signed in to it.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.console.ConsoleServlet} serves the files of {@code
 * src/main/webapp/console} and, at every other address below {@code /console/}, the one page, whose
 * script reads the address. {@link dev.holdfast.console.SignInResource} exchanges an API key for a
 * sign-in, tells who is signed in, and ends it. A person whom an OpenID provider vouches for comes
 * in by {@link dev.holdfast.console.SignIns#begin(Arrival, java.time.Duration)} (room {@code
 * openid}), as long as that way is an {@link dev.holdfast.console.Offer}. Everything else the pages
 * do through the native API.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>The key is sent once and kept nowhere in the browser; the sign-in's secret is in a cookie
 *       that no script can read, and only its SHA-256 in the database.
 *   <li>A sign-in is a way to show a key ({@link dev.holdfast.console.SignInCredential}): it may
 *       what its key may at this moment, and ends with it; or it is a person's, and may what their
 *       roles gave when they came in. There are no other checks of permissions.
 *   <li>The cookie counts below {@code /api/v1} and {@code /console/sign-in}, by the servlet that
 *       was matched, and never for what the E2B SDKs call; the gateway keeps it from sandboxes.
 *   <li>A change by cookie needs the sign-in's token, which only a page that can read our answers
 *       has, and a browser that says the page is of this origin. Hosts of sandboxes are the same
 *       site as the console, so {@code SameSite=Strict} alone would let them.
 *   <li>Nothing is loaded from elsewhere, and nothing inline runs but the import map, by its hash.
 *   <li>Sandbox hosts have no console: the gateway takes their requests before any servlet does.
 * </ul>
 *
 * <p><b>Races.</b> A sign-in that ends while a request of it runs lets that request finish. Of two
 * nodes each bounds the attempts of an address by itself.
 *
 * <p><b>Decisions.</b>
 *
 * <ul>
 *   <li>A sign-in with a key has no permissions or project of its own, so that a change of the key
 *       is a change of the sign-in. A person's has both, because nobody but the provider could be
 *       asked again; so it is short.
 *   <li>Of several projects a person asks in the one that the path names: two tabs may show two.
 *   <li>Without TLS the cookie has no {@code Secure} and a plain name; of two with that name none
 *       is taken, because a neighbouring host can set one for the whole domain. Whether there is
 *       TLS before a proxy its trusted word tells, or the browser's {@code Origin}; an operator can
 *       say once and for all that there is.
 *   <li>What changes with the build is asked for with its entity tag, and libraries have their
 *       version in their address; so no page is ever made of two builds' halves for longer than one
 *       load.
 * </ul>
 *
 * <p><b>Out of scope.</b> Sessions, which are sandboxes open in the Workbench ({@code workbench}).
 */
package dev.holdfast.console;
