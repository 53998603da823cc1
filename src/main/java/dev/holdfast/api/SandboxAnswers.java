package dev.holdfast.api;

import dev.holdfast.autosave.Autosaves;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxTokens;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** What is answered of a sandbox, the same wherever it is looked at. */
@ApplicationScoped
public class SandboxAnswers {

    @Inject Autosaves autosaves;
    @Inject SandboxTokens tokens;

    SandboxView view(Sandbox sandbox) {
        return SandboxView.of(sandbox, tokens, autosaves.report(sandbox));
    }

    /**
     * @throws Problem {@code sandbox_not_found} when no sandbox can be called so
     */
    static SandboxId id(String text) {
        if (!SandboxId.isWellFormed(text)) {
            throw new Problem(
                    Reason.SANDBOX_NOT_FOUND,
                    "There is no such sandbox. A sandbox ID is made of [a-z0-9].");
        }
        return new SandboxId(text);
    }
}
