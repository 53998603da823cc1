package dev.holdfast.restore;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.Sandbox;

/** What is said of a sandbox that ended before it ran. */
public final class NotStarted {

    private NotStarted() {}

    public static Problem of(Sandbox sandbox) {
        return new Problem(
                        Reason.START_FAILED,
                        "Sandbox "
                                + sandbox.id()
                                + " could not be started: "
                                + sandbox.endDetail().orElse("it was ended meanwhile")
                                + ".")
                .with("sandboxID", sandbox.id().value());
    }
}
