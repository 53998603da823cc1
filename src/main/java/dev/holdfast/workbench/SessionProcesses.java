package dev.holdfast.workbench;

import dev.holdfast.access.ProjectId;
import dev.holdfast.agent.ProcessRef;
import dev.holdfast.problem.Problem;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.workbench.Lines.Line;
import io.undertow.server.HttpServerExchange;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The programs that run in a session, as far as its agent started them. */
@ApplicationScoped
public class SessionProcesses {

    private static final int MOST = 500;
    private static final int KILL = 9;

    @Inject Lines lines;

    /** The oldest first, no more than are looked at. */
    public CompletionStage<List<SessionProcess>> list(
            ProjectId project, SandboxId id, HttpServerExchange exchange) {
        Line line = lines.to(project, id, exchange);
        return line.told(
                line.agent()
                        .processes()
                        .thenApply(
                                entries ->
                                        entries.stream()
                                                .map(SessionProcess::of)
                                                .sorted(
                                                        Comparator.comparingLong(
                                                                SessionProcess::pid))
                                                .limit(MOST)
                                                .toList())
                        .exceptionally(AgentProblems::of));
    }

    /**
     * Ends a program and what it started.
     *
     * @throws Problem {@code process_not_found}
     */
    public CompletionStage<Void> end(
            ProjectId project, SandboxId id, long pid, HttpServerExchange exchange) {
        Line line = lines.to(project, id, exchange);
        return line.told(
                line.agent()
                        .signalGroup(ProcessRef.pid(pid), KILL)
                        .exceptionally(AgentProblems::ofProcess));
    }
}
