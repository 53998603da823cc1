package dev.holdfast.api;

import dev.holdfast.workbench.SessionProcess;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The programs that run in a session, the oldest first, at most 500. */
@Schema(
        name = "SessionProcesses",
        requiredProperties = {"processes"})
public record SessionProcessesView(List<SessionProcessView> processes) {

    /** See {@link SessionProcess}. */
    @Schema(
            name = "SessionProcess",
            requiredProperties = {"pid", "command", "user"})
    public record SessionProcessView(
            long pid,
            @Schema(examples = "python3 serve.py") String command,
            @Schema(examples = "user") String user) {}

    static SessionProcessesView of(List<SessionProcess> processes) {
        return new SessionProcessesView(
                processes.stream()
                        .map(
                                each ->
                                        new SessionProcessView(
                                                each.pid(), each.command(), each.user()))
                        .toList());
    }
}
