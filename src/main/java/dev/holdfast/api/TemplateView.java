package dev.holdfast.api;

import dev.holdfast.template.Template;
import java.time.Instant;
import java.util.Map;

/**
 * A template.
 *
 * @param builtIn whether it belongs to no project and everybody may use it
 * @param state BUILDING, READY or FAILED
 * @param failure why it is FAILED
 * @param digest the SHA-256 of its image
 * @param environment variables of every process in its sandboxes
 */
public record TemplateView(
        String id,
        String name,
        boolean builtIn,
        String state,
        String failure,
        int generation,
        int cpus,
        int memoryMib,
        int diskMib,
        String digest,
        Long imageBytes,
        Map<String, String> environment,
        Instant createdAt,
        Instant readyAt) {

    static TemplateView of(Template template) {
        return new TemplateView(
                template.id().value(),
                template.name(),
                template.isBuiltIn(),
                template.state().name(),
                template.failure().orElse(null),
                template.generation(),
                template.size().cpus(),
                template.size().memoryMebibytes(),
                template.size().diskMebibytes(),
                template.digest().orElse(null),
                template.imageBytes().orElse(null),
                template.environment(),
                template.createdAt(),
                template.readyAt().orElse(null));
    }
}
