/**
 * The native API under {@code /api/v1}: what enterprise integrations and the console call.
 *
 * <p><b>Operations.</b> Each {@code ...Resource} is one plural noun under {@code
 * /api/v1/projects/{project}}, where the project is named by its ID or its slug.
 *
 * <p>Below {@code /api/v1/admin} are those of the service, for keys without a project.
 *
 * <p><b>Facts that must hold.</b> A key of a project sees that one only; another does not exist for
 * it, whatever it may be called ({@link dev.holdfast.api.Scope}). Refusals are RFC 9457 problems
 * with the same stable {@code reason} as in the E2B dialect. Moments are RFC 3339 in UTC, sizes are
 * bytes, durations whole seconds unless the member's name says otherwise.
 *
 * <p><b>Long work.</b> A capture is answered when it is saved, without a thread that waits; {@code
 * Prefer: respond-async} and {@code wait=N} ({@link dev.holdfast.operation.Preference}) get the
 * operation instead. The operation stays where it is when it is over, so that it is cancelled by a
 * {@code POST} to {@code .../cancel} and not by a {@code DELETE}; to ask for it with {@code wait=N}
 * is to be told of its end.
 *
 * <p><b>Events.</b> A stream ({@link dev.holdfast.api.EventFeed}) is a reader of the log with a
 * place of its own: it takes a page, sends it, and takes the next when that has left. So a slow one
 * costs a page, nothing is handed from a reading to a broadcast, and to resume is to begin.
 *
 * <p><b>Out of scope.</b> E2B's words and shapes: {@code e2b}. Who a caller is: {@code access}.
 *
 * <p><b>Decisions.</b> One room for all nouns, because what they share is the dialect; the rules
 * are in the rooms below. The classes are listed in {@link dev.holdfast.api.ApiApplication} and
 * described by annotations, which the server turns into the document at {@code /openapi}. What
 * holds for many methods is added there by {@link dev.holdfast.api.Description} and not written on
 * each; what a method refuses on its own account it says by {@code @Refuses}, in the words of
 * {@link dev.holdfast.problem.Reason}. All problems have one schema, and which reasons an answer
 * can have stands beside it: a schema for each would make a client of a hundred types for one
 * thing.
 */
package dev.holdfast.api;
