package dev.holdfast.webhook;

import dev.holdfast.event.EventEntry;
import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import java.nio.charset.StandardCharsets;

/** What is sent of an event: the same members as in the list of events. */
final class Body {
    private Body() {}

    static byte[] of(EventEntry event) {
        JsonObjectBuilder data = Json.createObjectBuilder();
        event.details().forEach(data::add);
        JsonObjectBuilder body =
                Json.createObjectBuilder()
                        .add("id", event.id().toString())
                        .add("type", event.type())
                        .add("timestamp", event.at().toString());
        event.project().ifPresent(project -> body.add("project", project.toString()));
        return body.add(
                        "subject",
                        Json.createObjectBuilder()
                                .add("kind", event.kind())
                                .add("id", event.subject()))
                .add("data", data)
                .build()
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }
}
