package dev.holdfast.api;

import dev.holdfast.access.Caller;
import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.event.EventId;
import dev.holdfast.event.EventLog;
import io.undertow.servlet.handlers.ServletRequestContext;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.Set;

/** Reading events, the same for those of a project and those of the service. */
@RequestScoped
public class EventAnswers {

    @Inject Caller caller;
    @Inject EventLog log;
    @Inject EventStreams streams;

    EventPageView list(Optional<ProjectId> project, EventFilters filters, String limit) {
        int most = Cursor.limit(limit);
        return EventPageView.of(
                log.read(filters.query(project, filters.after().orElse(EventId.NONE), most + 1)),
                most);
    }

    /**
     * @param needed of these permissions the caller has to keep one
     */
    Response stream(
            Optional<ProjectId> project,
            EventFilters filters,
            String lastEventId,
            Set<Permission> needed) {
        EventFeed feed =
                streams.open(
                        ServletRequestContext.requireCurrent().getExchange(),
                        filters.query(project, EventId.NONE, 1),
                        filters.resumed(lastEventId),
                        caller.identity(),
                        needed);
        return Response.ok(feed.answer(), MediaType.SERVER_SENT_EVENTS_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header("X-Accel-Buffering", "no") // proxies that gather answers would hold it back
                .build();
    }
}
