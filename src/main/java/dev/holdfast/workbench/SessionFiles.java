package dev.holdfast.workbench;

import dev.holdfast.access.ProjectId;
import dev.holdfast.agent.FileBody;
import dev.holdfast.agent.FileEntry;
import dev.holdfast.agent.Upload;
import dev.holdfast.gateway.IncomingBody;
import dev.holdfast.problem.Problem;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.workbench.Lines.Line;
import io.undertow.server.HttpServerExchange;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.servlet.ServletInputStream;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The files of a session, as its ordinary user has them. */
@ApplicationScoped
public class SessionFiles {

    /** How many files a page has at most. */
    public static final int MOST = 1000;

    private static final int LONGEST = 4096;

    @Inject Lines lines;

    /**
     * What is in a directory, by name.
     *
     * @param after the name that the page before ended with
     */
    public CompletionStage<SessionFile.Page> list(
            ProjectId project,
            SandboxId id,
            String path,
            Optional<String> after,
            int limit,
            HttpServerExchange exchange) {
        String asked = path(path);
        Line line = lines.to(project, id, exchange);
        return line.told(
                line.agent()
                        .list(asked, Optional.empty(), 1)
                        .thenApply(entries -> page(entries, after, limit))
                        .exceptionally(AgentProblems.ofFile(asked)));
    }

    /** The content of a file, which no browser shows as a page of ours. */
    public CompletionStage<Response> read(
            ProjectId project, SandboxId id, String path, HttpServerExchange exchange) {
        String asked = path(path);
        Line line = lines.to(project, id, exchange);
        FileBody body = line.agent().read(asked, Optional.empty());
        return line.told(
                body.extent()
                        .handle(
                                (extent, failure) ->
                                        failure == null
                                                ? body.next()
                                                        .thenApply(
                                                                first ->
                                                                        Download.of(
                                                                                exchange, asked,
                                                                                extent, first,
                                                                                body))
                                                : AgentProblems.<CompletionStage<Response>>ofFile(
                                                                asked)
                                                        .apply(failure))
                        .thenCompose(Function.identity())
                        .exceptionally(AgentProblems.ofFile(asked)));
    }

    /** Writes a file out of the body of a request, which is answered in any case. */
    public void write(
            ProjectId project,
            SandboxId id,
            String path,
            HttpServerExchange exchange,
            ServletInputStream input,
            AsyncResponse response)
            throws IOException {
        String asked = path(path);
        Line line = lines.to(project, id, exchange);
        Upload<FileEntry> upload = line.agent().write(asked, Optional.empty());
        IncomingBody.receive(new IncomingFile(asked, upload, line), "file", input, response);
    }

    /** Makes a directory with all that leads to it. */
    public CompletionStage<SessionFile> makeDirectory(
            ProjectId project, SandboxId id, String path, HttpServerExchange exchange) {
        String asked = path(path);
        Line line = lines.to(project, id, exchange);
        return line.told(
                line.agent()
                        .makeDirectory(asked, Optional.empty())
                        .thenApply(SessionFile::of)
                        .exceptionally(AgentProblems.ofFile(asked)));
    }

    /** Removes a file, or a directory with all that is in it; nothing there is success. */
    public CompletionStage<Void> remove(
            ProjectId project, SandboxId id, String path, HttpServerExchange exchange) {
        String asked = path(path);
        Line line = lines.to(project, id, exchange);
        return line.told(
                line.agent()
                        .remove(asked, Optional.empty())
                        .exceptionally(AgentProblems.ofFile(asked)));
    }

    private static SessionFile.Page page(
            List<FileEntry> entries, Optional<String> after, int limit) {
        List<SessionFile> behind =
                entries.stream()
                        .map(SessionFile::of)
                        .filter(
                                each ->
                                        after.filter(it -> each.name().compareTo(it) <= 0)
                                                .isEmpty())
                        .sorted(Comparator.comparing(SessionFile::name))
                        .limit(limit + 1L)
                        .toList();
        List<SessionFile> page = behind.subList(0, Math.min(limit, behind.size()));
        return new SessionFile.Page(
                List.copyOf(page),
                behind.size() > limit
                        ? Optional.of(page.get(page.size() - 1).name())
                        : Optional.empty());
    }

    private static String path(String asked) {
        if (asked == null
                || asked.isEmpty()
                || asked.length() > LONGEST
                || asked.charAt(0) != '/'
                || asked.indexOf('\0') >= 0) {
            throw Problem.invalid(
                    "path",
                    "\"path\" begins at the root, as /home/user, and has at most "
                            + LONGEST
                            + " characters.");
        }
        return asked;
    }
}
