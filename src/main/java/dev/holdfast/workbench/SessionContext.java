package dev.holdfast.workbench;

import dev.holdfast.agent.Context;
import dev.holdfast.agent.ContextId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;

/**
 * One interpreter of a session.
 *
 * @param directory where its code begins to run
 * @param busy whether code runs in it or waits for its turn
 */
public record SessionContext(String id, String language, String directory, boolean busy) {

    private static final int LONGEST = 400;

    static SessionContext of(Context context) {
        return new SessionContext(
                context.id().value(),
                bounded(context.language()),
                bounded(context.directory()),
                context.busy());
    }

    /**
     * @throws Problem {@code context_not_found} for what no context can be called
     */
    static ContextId id(String text) {
        if (text == null || !ContextId.isWellFormed(text)) {
            throw new Problem(
                    Reason.CONTEXT_NOT_FOUND, "The session has no interpreter of that ID.");
        }
        return new ContextId(text);
    }

    private static String bounded(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}
