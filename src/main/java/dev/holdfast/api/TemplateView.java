package dev.holdfast.api;

import dev.holdfast.template.Template;
import java.time.Instant;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A template.
 *
 * @param builtIn whether it belongs to no project and everybody may use it
 * @param state BUILDING, READY or FAILED
 * @param failure why it is FAILED
 * @param digest the SHA-256 of its image
 * @param environment variables of every process in its sandboxes
 */
@Schema(
        name = "Template",
        requiredProperties = {
            "id",
            "name",
            "builtIn",
            "state",
            "generation",
            "cpus",
            "memoryMib",
            "diskMib",
            "environment",
            "createdAt"
        })
public record TemplateView(
        @Schema(examples = "base") String id,
        @Schema(examples = "base") String name,
        boolean builtIn,
        @Schema(enumeration = {"BUILDING", "READY", "FAILED"}) String state,
        String failure,
        @Schema(minimum = "1", maximum = "2", examples = "2") int generation,
        @Schema(examples = "2") int cpus,
        @Schema(examples = "512") int memoryMib,
        @Schema(examples = "1024") int diskMib,
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
