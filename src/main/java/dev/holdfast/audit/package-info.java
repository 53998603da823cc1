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
 * </ul>
 */
package dev.holdfast.audit;
