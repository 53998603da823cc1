/**
 * Who is calling, and what they may do.
 *
 * <p><b>Purpose.</b> Projects, API keys, permissions; the mechanism that turns a request's key into
 * an identity; {@link dev.holdfast.access.Caller}, where every room reads whose request it serves.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.access.Keys}: recognise, issue, revoke. {@link
 * dev.holdfast.access.Projects}: look up, lock. {@link dev.holdfast.access.Bootstrap}: at start,
 * make the project {@code default} and the key that {@code HOLDFAST_BOOTSTRAP_API_KEY} names.
 *
 * <p><b>Who may use it.</b> Every room. It uses only {@code problem}.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>A secret is never stored, logged or shown again: the table has its SHA-256 and, for people,
 *       its beginning and end. {@link dev.holdfast.access.KeySecret} does not print itself.
 *   <li>Every JAX-RS method says who may call it: {@code @RolesAllowed} with {@link
 *       dev.holdfast.access.Permission.Word}, or {@code @PermitAll}. One that says nothing is
 *       refused to everybody ({@link dev.holdfast.access.AccessFilter}), so forgetting is noticed
 *       and harmless.
 *   <li>Which project a request is about comes from its key alone, never from the request.
 *   <li>A revoked or expired key is refused from the moment its row says so: nothing is cached.
 *   <li>At most one live bootstrap key exists, by a unique index.
 * </ul>
 *
 * <p><b>Races.</b>
 *
 * <ul>
 *   <li>Two nodes that start at once make one project (unique slug, insert that yields) and take
 *       turns on its row lock for the key; with different keys in their settings the later one
 *       wins.
 *   <li>A key revoked while its request runs finishes that request.
 *   <li>The last use is one conditional update, at most once a minute and key on each node, outside
 *       the request; of two, one writes. It does not touch the version, so it disturbs nobody.
 * </ul>
 *
 * <p><b>Decisions.</b>
 *
 * <ul>
 *   <li>The mechanism never refuses by itself: paths of the data plane carry other tokens, and
 *       {@code /health} must answer whatever key is sent. It leaves the reason with the {@code
 *       Caller}, and the filter refuses once the method is known. An unknown path is therefore 404
 *       to strangers too.
 *   <li>Keys hold 160 random bits, so one round of SHA-256 is enough and a lookup by index gives no
 *       useful timing: an attacker cannot choose the digest.
 *   <li>A bearer token counts below {@code /api/v1} only. Elsewhere {@code Authorization} names the
 *       Unix user of a sandbox process.
 *   <li>Expiry is judged by the database's clock, in the statement that looks the key up.
 *   <li>A bootstrap key that is missing from the settings of a later start is left as it is; only
 *       another one replaces it.
 * </ul>
 *
 * <p><b>Out of scope.</b> Quota figures ({@code quota}), sandbox tokens ({@code gateway}, {@code
 * envd}).
 */
package dev.holdfast.access;
