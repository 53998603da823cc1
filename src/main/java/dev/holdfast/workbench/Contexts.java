package dev.holdfast.workbench;

import dev.holdfast.access.ProjectId;
import dev.holdfast.agent.ExecutionOrder;
import dev.holdfast.problem.Problem;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.workbench.Lines.Line;
import io.undertow.server.HttpServerExchange;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The interpreters of a session, and the code that runs in them. */
@ApplicationScoped
public class Contexts {

    private static final int MOST = 100;

    @Inject Lines lines;

    public CompletionStage<List<SessionContext>> list(
            ProjectId project, SandboxId id, HttpServerExchange exchange) {
        Line line = lines.to(project, id, exchange);
        return line.told(
                line.agent()
                        .contexts()
                        .list()
                        .thenApply(all -> all.stream().map(SessionContext::of).limit(MOST).toList())
                        .exceptionally(AgentProblems::of));
    }

    public CompletionStage<SessionContext> create(
            ProjectId project,
            SandboxId id,
            Optional<String> language,
            Optional<String> directory,
            HttpServerExchange exchange) {
        Line line = lines.to(project, id, exchange);
        return line.told(
                line.agent()
                        .contexts()
                        .create(language, directory)
                        .thenApply(SessionContext::of)
                        .exceptionally(AgentProblems::of));
    }

    /** As Ctrl-C does; nothing where nothing runs. */
    public CompletionStage<Void> interrupt(
            ProjectId project, SandboxId id, String context, HttpServerExchange exchange) {
        Line line = lines.to(project, id, exchange);
        return line.told(
                line.agent()
                        .contexts()
                        .interrupt(SessionContext.id(context))
                        .exceptionally(AgentProblems::of));
    }

    /** A new process in the same place: what it knew is gone. */
    public CompletionStage<Void> restart(
            ProjectId project, SandboxId id, String context, HttpServerExchange exchange) {
        Line line = lines.to(project, id, exchange);
        return line.told(
                line.agent()
                        .contexts()
                        .restart(SessionContext.id(context))
                        .exceptionally(AgentProblems::of));
    }

    public CompletionStage<Void> remove(
            ProjectId project, SandboxId id, String context, HttpServerExchange exchange) {
        Line line = lines.to(project, id, exchange);
        return line.told(
                line.agent()
                        .contexts()
                        .remove(SessionContext.id(context))
                        .exceptionally(AgentProblems::of));
    }

    /** Runs code and tells of it as it happens, a JSON object a line. */
    public CompletionStage<Response> execute(
            ProjectId project,
            SandboxId id,
            String context,
            String code,
            HttpServerExchange exchange) {
        Line line = lines.to(project, id, exchange);
        ExecutionOrder order = order(context, code);
        Execution execution = new Execution(exchange);
        execution.follows(line.agent().contexts().execute(order, execution));
        return line.told(execution.response());
    }

    private static ExecutionOrder order(String context, String code) {
        try {
            return ExecutionOrder.in(SessionContext.id(context), code == null ? "" : code);
        } catch (IllegalArgumentException tooLong) {
            throw Problem.invalid(
                    "code", "\"code\" has at most " + ExecutionOrder.LONGEST + " bytes.");
        }
    }
}
