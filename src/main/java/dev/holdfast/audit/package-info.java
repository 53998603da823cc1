/**
 * Who did what, when, from where, and what came of it.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.audit.Audit} writes an entry; a room that changes
 * something calls {@code done} with a {@link dev.holdfast.audit.Deed} in the transaction of the
 * change. A JAX-RS method that changes something says which {@link dev.holdfast.audit.Action} that
 * is ({@link dev.holdfast.audit.Audited}), and what it is refused is written from one place.
 *
 * <p><b>Who may use it.</b> Every room but the ports. It uses {@code problem} and {@code database},
 * and knows projects and principals as they are stored, so that {@code access} may use it too.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>What was done stands in the transaction that did it: there is no entry of a change that was
 *       rolled back and no change without its entry.
 *   <li>An entry is never changed. It goes when it is older than the configuration says.
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
 *   <li>An export reads page after page, each in a moment of its own, so that a slow reader holds
 *       neither memory nor a transaction; it ends with what was there when it began.
 *   <li>{@code X-Forwarded-For} is believed of configured proxies only, and its last address that
 *       none of them has. A configured {@link dev.holdfast.audit.AddressBlock} is digits, here and
 *       wherever else one is, and no name that would be looked up.
 * </ul>
 *
 * <p><b>Out of scope.</b> Which permission reads it: {@code api}. Removing what is old: a job of
 * {@code expiry} calls {@code purge}.
 */
package dev.holdfast.audit;
