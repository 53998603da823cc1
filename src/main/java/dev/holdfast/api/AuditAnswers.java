package dev.holdfast.api;

import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.AuditEntries;
import dev.holdfast.audit.Chains;
import dev.holdfast.audit.Linking;
import dev.holdfast.problem.JsonBinding;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reading an audit, the same for that of a project and that of the service. */
@ApplicationScoped
public class AuditAnswers {
    static final String NDJSON = "application/x-ndjson";
    static final String CSV = "text/csv";

    @Inject Chains chains;
    @Inject AuditEntries entries;
    @Inject Exports exports;
    @Inject Linking linking;

    AuditPage list(Optional<ProjectId> project, AuditFilters filters, String limit, String after) {
        int most = Cursor.limit(limit);
        List<AuditEntries.Listed> found =
                entries.list(filters.query(project, AuditFilters.after(after), most + 1));
        List<AuditEntries.Listed> page = found.stream().limit(most).toList();
        return new AuditPage(
                page.stream().map(AuditView::of).toList(),
                found.size() > most ? AuditFilters.token(page.get(most - 1).entry()) : null);
    }

    /** Where it ends, all that was committed before the call among it. */
    AuditChainView chain(Optional<ProjectId> project) {
        linking.linkSome();
        return AuditChainView.of(chains.find(project.map(ProjectId::value)));
    }

    /** One object a line. */
    Response lines(Optional<ProjectId> project, AuditFilters filters) {
        return export(project, filters, "", view -> JsonBinding.JSON.toJson(view) + "\n")
                .header(HttpHeaders.CONTENT_TYPE, NDJSON)
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"audit.ndjson\"")
                .build();
    }

    /** One entry a record. */
    Response records(Optional<ProjectId> project, AuditFilters filters) {
        return export(project, filters, AuditCsv.HEADER, AuditCsv::line)
                .header(HttpHeaders.CONTENT_TYPE, CSV + ";charset=UTF-8;header=present")
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"audit.csv\"")
                .build();
    }

    private Response.ResponseBuilder export(
            Optional<ProjectId> project,
            AuditFilters filters,
            String header,
            Function<AuditView, String> form) {
        var query = filters.query(project, Optional.empty(), AuditEntries.PAGE);
        StreamingOutput stream =
                out -> {
                    Writer writer =
                            new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
                    writer.write(header);
                    entries.each(query, entry -> write(writer, form.apply(AuditView.of(entry))));
                    writer.flush();
                };
        return Response.ok(exports.begin(stream));
    }

    private static void write(Writer writer, String line) {
        try {
            writer.write(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // the reader has left
        }
    }
}
