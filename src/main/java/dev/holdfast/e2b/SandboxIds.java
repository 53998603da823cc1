package dev.holdfast.e2b;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.SandboxId;

/** Sandbox IDs as clients write them. */
final class SandboxIds {

    private SandboxIds() {}

    /** Old clients append {@code -CLIENTID}; a text that is no ID names no sandbox. */
    static SandboxId read(String text) {
        int hyphen = text.indexOf('-');
        String id = hyphen < 0 ? text : text.substring(0, hyphen);
        if (!SandboxId.isWellFormed(id)) {
            throw new Problem(
                    Reason.SANDBOX_NOT_FOUND,
                    "That sandbox doesn't exist or you don't have access to it. A sandbox ID is"
                            + " made of [a-z0-9].");
        }
        return new SandboxId(id);
    }
}
