package dev.holdfast.workbench;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.workbench.Lines.Line;
import io.undertow.server.HttpServerExchange;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The names that live in the interpreters of a session. While code runs in one it tells none. */
@ApplicationScoped
public class Namespaces {

    private static final int MOST = 1000;
    private static final int LONGEST_CODE = 256 * 1024;

    @Inject Lines lines;

    /** In the order of their names, no more than are looked at. */
    public CompletionStage<List<SessionVariable>> variables(
            ProjectId project, SandboxId id, String context, HttpServerExchange exchange) {
        Line line = lines.to(project, id, exchange);
        return line.told(
                line.agent()
                        .contexts()
                        .variables(SessionContext.id(context))
                        .thenApply(
                                all -> all.stream().map(SessionVariable::of).limit(MOST).toList())
                        .exceptionally(AgentProblems::of));
    }

    /**
     * What may stand at a place of code.
     *
     * @param cursor in code points from the beginning
     */
    public CompletionStage<Suggestions> complete(
            ProjectId project,
            SandboxId id,
            String context,
            String code,
            int cursor,
            HttpServerExchange exchange) {
        if (code == null || code.length() > LONGEST_CODE) {
            throw Problem.invalid("code", "\"code\" has at most " + LONGEST_CODE + " characters.");
        }
        if (cursor < 0 || cursor > code.length()) {
            throw Problem.invalid("cursor", "\"cursor\" is a place in \"code\".");
        }
        Line line = lines.to(project, id, exchange);
        return line.told(
                line.agent()
                        .contexts()
                        .complete(SessionContext.id(context), code, cursor)
                        .thenApply(Suggestions::of)
                        .exceptionally(AgentProblems::of));
    }
}
