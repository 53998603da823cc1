/**
 * Who is calling, and what they may do.
 *
 * <p><b>Purpose.</b> Projects, API keys, permissions; the mechanism that turns a request's key into
 * an identity; {@link dev.holdfast.access.Caller}, where every room reads whose request it serves.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.access.Keys}: recognise, issue, change, revoke. {@link
 * dev.holdfast.access.Projects}: look up, lock, create, change, close, reopen. {@link
 * dev.holdfast.access.Bootstrap}: at the start of a node that controls, make the project {@code
 * default} and the keys that {@code HOLDFAST_BOOTSTRAP_API_KEY} and {@code
 * HOLDFAST_BOOTSTRAP_ADMIN_KEY} name. {@link dev.holdfast.access.AuditFilter}: have refusals of
 * changes written down.
 *
 * <p><b>Other ways in.</b> A {@link dev.holdfast.access.Credential} of another room, such as the
 * session of the console, leads to an {@link dev.holdfast.access.Identity} and to the same checks:
 * a key, or a {@link dev.holdfast.access.Person} whom an OpenID provider vouches for.
 *
 * <p><b>Who may use it.</b> Every room. It uses {@code problem}, {@code audit} and {@code
 * telemetry}.
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
 *   <li>Which project a request is about comes from its key alone, never from the request. Of a
 *       person who has several it is the one that the path names, if it is theirs ({@link
 *       dev.holdfast.access.Grants}).
 *   <li>A revoked or expired key is refused from the moment its row says so: nothing is cached.
 *   <li>Nobody gives by a key what they do not have, neither a permission nor a longer time ({@link
 *       dev.holdfast.access.Grantor}); who administers the service may give every right in any
 *       project.
 *   <li>At most one live bootstrap key of a project and one of the service exist, by a unique
 *       index.
 * </ul>
 *
 * <p><b>The service and the projects.</b> A key without a project has {@code service:admin} and
 * nothing else: it makes, limits, closes and purges projects, and administers keys and reads the
 * audit and the storage of any; what else is in a project it cannot see (403 {@code
 * permission_missing}), short of making itself a key there, which the audit tells. Any key of a
 * project can be revoked, also the last that may administer it, because the service makes another.
 *
 * <p><b>A closed project.</b> From the commit on its keys are recognised and refused with 403
 * {@code project_closed}, in both dialects, and so is whatever else stands for one: a sign-in of
 * the console, the token of a volume, the token or signature of a sandbox. In the same transaction
 * all its sandboxes end, paused ones too, with the reason {@code project closed} and who closed it.
 * Whatever would accept something new for it takes the project's lock first and finds it closed; a
 * capture that was accepted before comes to its end. Its snapshots stay, count and expire as
 * before, and are deleted at once only by a purge, which keeps it from being reopened meanwhile.
 * Reopened, its keys are good again and its snapshots can be restored.
 *
 * <p><b>Races.</b>
 *
 * <ul>
 *   <li>Two nodes that start at once take turns; with different keys in their settings the later
 *       one wins.
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
 *   <li>A key that is shown goes before every other credential: whoever writes a header means it,
 *       while a browser sends a cookie by itself.
 *   <li>Keys that a person makes do not end with the sign-in in which they were made: programs need
 *       them. Who loses their roles keeps the keys that they have made for themselves until those
 *       are revoked; the audit lists them.
 *   <li>Expiry is judged by the database's clock, in the statement that looks the key up.
 *   <li>A bootstrap key that is missing from the settings of a later start is left as it is; only
 *       another one replaces it. Its project is that of the bootstrap keys before it, so that the
 *       project may be renamed.
 *   <li>A slug is not stored with what it names, so that another one renames all at once.
 * </ul>
 *
 * <p><b>Out of scope.</b> Quota figures ({@code quota}), sandbox tokens ({@code gateway}, {@code
 * envd}).
 */
package dev.holdfast.access;
