/**
 * What goes wrong, said the same way everywhere.
 *
 * <p><b>Purpose.</b> One edge for errors: rooms throw {@link dev.holdfast.problem.Problem} with a
 * stable {@link dev.holdfast.problem.Reason}; the mappers here turn it, and everything unforeseen,
 * into the answer of the dialect that was spoken. The filters every HTTP application of ours needs
 * to get that far (request id, body bound, cross-origin headers) live here too; {@link
 * dev.holdfast.problem.Edge} lists them for an {@code Application}.
 *
 * <p><b>Who may use it.</b> Every room. It uses none and knows nothing of keys or sandboxes.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>Every answer of 400 and above is JSON with a number {@code code} (or {@code status}) equal
 *       to the HTTP status, a {@code reason}, a message for people and the request's id. The E2B
 *       SDKs decide from the number in the body, so a page in another shape is a wrong answer, not
 *       an ugly one. This holds before JAX-RS too ({@link dev.holdfast.problem.ErrorServlet}).
 *   <li>Paths below {@code /api/v1} speak RFC 9457, all others the E2B dialect. The raw path of the
 *       request decides, never a header.
 *   <li>The unforeseen is logged once, with the request id, and answers 500 without its message:
 *       messages of exceptions carry SQL, paths and secrets.
 *   <li>A {@code Problem} rolls the transaction back and reaches the edge unwrapped.
 *   <li>A JSON body is read whole, bounded ({@link dev.holdfast.problem.BodyLimit}), after the
 *       caller was let in; before JSON-B sees it, it is known to be strict UTF-8, well-formed to
 *       its end, of bounded depth and without NUL, which PostgreSQL could not store ({@link
 *       dev.holdfast.problem.JsonText}; other JSON from outside has to pass it as well).
 *   <li>Cross-origin answers never allow credentials.
 *   <li>{@code Retry-After} is sent only where nothing was done, or nothing of it stays: SDKs
 *       repeat such requests unasked. With a server that stops end its sandboxes and their
 *       captures.
 * </ul>
 *
 * <p><b>Decisions.</b>
 *
 * <ul>
 *   <li>A lost race in the database (optimistic lock, lock time-out, deadlock) is 409 {@code
 *       concurrent_change}, not 503: newer SDKs repeat a 503 by themselves, also a capture. The
 *       pause call reads every 409 as "already paused", so whoever owns pausing must settle its
 *       races itself and never let this reason out.
 *   <li>{@code worker_busy} is one word with two statuses (409 for a capture, 503 for a create), so
 *       it is two constants.
 *   <li>Bodies are rendered here with JSON-P instead of JSON-B, so that the error page and the
 *       mappers share one writer and no provider can change the shape.
 *   <li>A query parameter that cannot be converted is 400 and names it; JAX-RS alone says 404.
 * </ul>
 *
 * <p><b>Out of scope.</b> Errors of the data plane's Connect protocol ({@code envd}), the gateway's
 * 502 answers ({@code gateway}; it may use {@link dev.holdfast.problem.ProblemBody}).
 */
package dev.holdfast.problem;
