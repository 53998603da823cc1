package dev.holdfast.api;

import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.AuditEntry;
import dev.holdfast.audit.AuditQuery;
import dev.holdfast.audit.Outcome;
import dev.holdfast.problem.Problem;
import jakarta.ws.rs.QueryParam;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;

/** Which entries of an audit somebody wants to see. */
public class AuditFilters {
    private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");

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
                said(from).map(text -> moment("from", text)),
                said(to).map(text -> moment("to", text)),
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

    private static Instant moment(String parameter, String text) {
        try {
            Instant moment = OffsetDateTime.parse(text).toInstant();
            if (moment.isAfter(Instant.EPOCH) && moment.isBefore(FAR)) {
                return moment;
            }
        } catch (DateTimeException e) {
            // refused below like a moment out of range
        }
        throw Problem.invalid(
                parameter, "\"" + parameter + "\" is a moment like 2030-01-31T12:00:00Z.");
    }
}
