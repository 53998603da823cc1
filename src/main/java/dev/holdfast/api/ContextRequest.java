package dev.holdfast.api;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * An interpreter to be made.
 *
 * @param language Python if absent
 * @param directory where its code begins to run; the user's home if absent
 */
@Schema(name = "ContextRequest")
public record ContextRequest(
        @Schema(maxLength = 40, examples = "python") String language,
        @Schema(maxLength = 4096, examples = "/home/user") String directory) {}
