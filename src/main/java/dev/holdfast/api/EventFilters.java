package dev.holdfast.api;

import dev.holdfast.access.ProjectId;
import dev.holdfast.event.EventId;
import dev.holdfast.event.EventQuery;
import dev.holdfast.event.EventType;
import dev.holdfast.problem.Problem;
import jakarta.ws.rs.QueryParam;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;

/** Which events somebody wants to see. */
public class EventFilters {

    @QueryParam("after")
    @Parameter(
            description = "The ID of an event: those behind it; all that are kept if left out",
            schema = @Schema(pattern = "^[0-9]{16}$"))
    String after;

    @QueryParam("kind")
    @Parameter(
            description = "What kind of thing it happened to",
            schema =
                    @Schema(
                            enumeration = {
                                "sandbox",
                                "capture",
                                "snapshot",
                                "quota",
                                "webhook",
                                "job"
                            }))
    String kind;

    @QueryParam("subject")
    @Parameter(description = "The ID of what it happened to", schema = @Schema(maxLength = 200))
    String subject;

    EventQuery query(Optional<ProjectId> project, EventId from, int limit) {
        said(kind)
                .filter(word -> !EventType.isKind(word))
                .ifPresent(
                        word -> {
                            throw Problem.invalid(
                                    "kind",
                                    "\"kind\" is sandbox, capture, snapshot, quota, webhook or"
                                            + " job.");
                        });
        return new EventQuery(
                project.map(ProjectId::value), said(kind), said(subject), from, limit);
    }

    /** Empty where nothing is said. */
    Optional<EventId> after() {
        return said(after).map(text -> id("after", text));
    }

    /** Where a stream begins: a client that comes again says so in the header. */
    Optional<EventId> resumed(String lastEventId) {
        return said(lastEventId).map(text -> id("Last-Event-ID", text)).or(this::after);
    }

    static EventId id(String parameter, String text) {
        return EventId.parse(text)
                .orElseThrow(
                        () ->
                                Problem.invalid(
                                        parameter,
                                        "\"" + parameter + "\" is the ID of an event, 16 digits."));
    }

    private static Optional<String> said(String text) {
        return Optional.ofNullable(text).filter(each -> !each.isEmpty());
    }
}
