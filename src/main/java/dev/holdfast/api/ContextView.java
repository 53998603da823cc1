package dev.holdfast.api;

import dev.holdfast.workbench.SessionContext;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * An interpreter of a session.
 *
 * @param directory where its code begins to run
 * @param busy whether code runs in it or waits for its turn
 */
@Schema(
        name = "Context",
        requiredProperties = {"id", "language", "directory", "busy"})
public record ContextView(
        @Schema(examples = "python") String id,
        @Schema(examples = "python") String language,
        @Schema(examples = "/home/user") String directory,
        boolean busy) {

    static ContextView of(SessionContext context) {
        return new ContextView(
                context.id(), context.language(), context.directory(), context.busy());
    }
}
