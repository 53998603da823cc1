package dev.holdfast.e2b;

import dev.holdfast.problem.Problem;
import dev.holdfast.restore.Forks.Outcome;
import dev.holdfast.sandbox.SandboxTokens;

/** What became of one fork: exactly one of the two. */
public record ForkView(SandboxView sandbox, Failure error) {

    /** Why there is none, as an answer to a create would say it. */
    public record Failure(int code, String message, String reason) {
        static Failure of(Problem problem) {
            return new Failure(
                    problem.reason().status(), problem.getMessage(), problem.reason().word());
        }
    }

    static ForkView of(Outcome outcome, SandboxTokens tokens) {
        if (outcome instanceof Outcome.Running running) {
            return new ForkView(SandboxView.of(running.sandbox(), tokens), null);
        }
        return new ForkView(null, Failure.of(((Outcome.Failed) outcome).why()));
    }
}
