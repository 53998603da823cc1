package dev.holdfast.api;

import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.AuditEntry;
import dev.holdfast.audit.AuditQuery;
import dev.holdfast.audit.Outcome;
import dev.holdfast.problem.Problem;
import jakarta.ws.rs.QueryParam;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;

/** Which entries of an audit somebody wants to see. */
public class AuditFilters {
    @QueryParam("principal")
    @Parameter(description = "Who did it, such as key:ID")
    String principal;

    @QueryParam("action")
    @Parameter(
            description = "What was done, such as snapshot.delete",
            schema = @Schema(pattern = "^[a-z.]{1,32}$"))
    String action;

    @QueryParam("subject")
    @Parameter(description = "The ID of what it was done to")
    String subject;

    @QueryParam("outcome")
    @Parameter(
            description = "How it ended",
            schema = @Schema(enumeration = {"done", "refused", "failed"}))
    String outcome;

    @QueryParam("from")
    @Parameter(description = "The first moment, inclusive", schema = @Schema(format = "date-time"))
    String from;

    @QueryParam("to")
    @Parameter(
            description = "The first moment that is not meant any more",
            schema = @Schema(format = "date-time"))
    String to;

    AuditQuery query(Optional<ProjectId> project, Optional<AuditQuery.Place> after, int limit) {
        return new AuditQuery(
                project.map(ProjectId::value),
                said(principal),
                word("action", action, Action::of),
                said(subject),
                word("outcome", outcome, Outcome::of),
                said(from).map(text -> Moment.read("from", text)),
                said(to).map(text -> Moment.read("to", text)),
                after,
                limit);
    }

    static Optional<AuditQuery.Place> after(String token) {
        return Cursor.after(
                token,
                cursor ->
                        cursor.id().matches("[0-9]{1,18}")
                                ? Optional.of(
                                        new AuditQuery.Place(
                                                cursor.at(), Long.parseLong(cursor.id())))
                                : Optional.empty());
    }

    static String token(AuditEntry last) {
        return new Cursor(last.at(), Long.toString(last.id())).token();
    }

    private static Optional<String> said(String text) {
        return Optional.ofNullable(text).filter(each -> !each.isEmpty());
    }

    private static <T> Optional<T> word(
            String parameter, String text, Function<String, Optional<T>> reading) {
        return said(text)
                .map(
                        each ->
                                reading.apply(each)
                                        .orElseThrow(
                                                () ->
                                                        Problem.invalid(
                                                                parameter,
                                                                "There is no "
                                                                        + parameter
                                                                        + " of this word.")));
    }
}
