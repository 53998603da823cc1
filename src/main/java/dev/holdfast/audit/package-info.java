/**
 * Who did what, when, from where, and what came of it.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.audit.Audit} writes an entry; a room that changes
 * something calls {@code done} with a {@link dev.holdfast.audit.Deed} in the transaction of the
 * change. A JAX-RS method that changes something says which {@link dev.holdfast.audit.Action} that
 * is ({@link dev.holdfast.audit.Audited}), and what it is refused is written from one place.
 *
 * <p>{@link dev.holdfast.audit.Chains} gives entries their places in the hash chains, {@link
 * dev.holdfast.audit.Verification} recomputes them.
 *
 * <p>Which proxies are believed is known here, because an entry says where a request came from;
 * {@link dev.holdfast.audit.TlsProxies} tells the same of how it came.
 *
 * <p><b>Who may use it.</b> Every room but the ports. It uses {@code problem}, {@code event} and
 * {@code database}, and knows projects and principals as they are stored, so that {@code access}
 * may use it too.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>What was done stands in the transaction that did it: there is no entry of a change that was
 *       rolled back and no change without its entry.
 *   <li>An entry is never changed. It goes when it is older than is kept, from the old end of its
 *       chain, which remembers where it now begins.
 *   <li>A committed entry is in the chain of each audit that it belongs to a moment later, once, at
 *       a position without gap before it, with SHA-256(hash before ‖ position ‖ {@link
 *       dev.holdfast.audit.Canonical text}).
 *   <li>Every text in it is bounded and has no control characters. Secrets and bodies of requests
 *       are never in it.
 *   <li>Who is refused cannot fill the table: strangers leave nothing, each key at most thirty
 *       entries a minute on each node, and then one with the number of the rest.
 * </ul>
 *
 * <p><b>Decisions.</b>
 *
 * <ul>
 *   <li>The shape is that of other audits: who, a word {@code noun.verb} for what, the object by
 *       type and ID, the outcome with its reason, source address, user agent and request ID;
 *       details are few texts for people.
 *   <li>Each snapshot that is deleted with others has an entry of its own, also what was refused;
 *       of these too a key has thirty a minute.
 *   <li>A capture has two entries: that it was accepted, and what came of it. What a caller who
 *       waited is then told is no third one.
 *   <li>An entry belongs to a project, to the service, or to both: what a key of the service did in
 *       a project is in the audit of each.
 *   <li>That a sandbox's lifetime was set is no entry: clients renew it every few seconds.
 *   <li>The time is that of the row and comes from the database; the sequence orders what one
 *       transaction wrote.
 *   <li>A chain gives places after the commit, under one lock. In the transaction that writes an
 *       entry it would make every change of every sandbox wait for every other; the price is that
 *       an entry is unprotected for the first seconds. Who waits for a place is written by a
 *       trigger, so that a node of an older build leaves nobody out.
 *   <li>Each project has a chain and the service has one, and an entry of both has a place in each:
 *       so the export of either verifies by itself, nobody has to be shown another's entries, and
 *       each keeps its entries for a time of its own.
 *   <li>The order is that in which places were given, within one giving that of the times. So a
 *       position may be later than a time by as long as a transaction took.
 *   <li>A chain proves that nothing in it was changed, removed, put in or moved, to whoever knows
 *       one of its hashes from elsewhere; who can write to the database can write all of it anew.
 *       So its end is told where that does not reach: in the log of the server, in the event {@code
 *       audit.verified} and thereby to webhooks, in each export. A signature would prove no more
 *       while its key lies on the same host. What is cut off the new end and was never told
 *       elsewhere is not seen, but against what the last verification wrote down.
 *   <li>How long a project's audit is kept the service says, and never less than thirty days: who
 *       administers a project is whom it is about.
 *   <li>What is removed is recomputed first ({@link dev.holdfast.audit.Purge}), and its age is that
 *       of the hashed entry: else who moves the times of links has the purge remove what is young,
 *       and the chain is whole behind it. Where something does not fit, everything stays.
 *   <li>An export reads page after page, each in a moment of its own, so that a slow reader holds
 *       neither memory nor a transaction; it ends with what had its place when it began.
 *   <li>{@code X-Forwarded-For} is believed of configured proxies only, and its last address that
 *       none of them has. A configured {@link dev.holdfast.audit.AddressBlock} is digits, here and
 *       wherever else one is, and no name that would be looked up.
 * </ul>
 *
 * <p><b>Out of scope.</b> Which permission reads it: {@code api}. When what is old is removed and
 * when chains are verified: jobs of {@code expiry}.
 */
package dev.holdfast.audit;
