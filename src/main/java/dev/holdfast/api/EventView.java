package dev.holdfast.api;

import dev.holdfast.event.EventEntry;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What happened.
 *
 * @param id grows in the order of the log, also as text; the same wherever the event is told
 * @param project absent for what is the service's own
 * @param data more, different for each type
 */
@Schema(
        name = "Event",
        requiredProperties = {"id", "type", "timestamp", "subject", "data"})
public record EventView(
        @Schema(pattern = "^[0-9]{16}$", examples = "0000000000001042") String id,
        @Schema(examples = "snapshot.saved") String type,
        Instant timestamp,
        @Schema(format = "uuid") String project,
        SubjectView subject,
        Map<String, String> data) {

    /** What it happened to. */
    @Schema(
            name = "EventSubject",
            requiredProperties = {"kind", "id"})
    public record SubjectView(
            @Schema(examples = "snapshot") String kind,
            @Schema(examples = "0b9ad7ce-5a7e-4b1f-8e0c-6c2f1f6f2a10") String id) {}

    static EventView of(EventEntry entry) {
        return new EventView(
                entry.id().toString(),
                entry.type(),
                entry.at(),
                entry.project().map(UUID::toString).orElse(null),
                new SubjectView(entry.kind(), entry.subject()),
                entry.details());
    }
}
