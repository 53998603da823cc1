package dev.holdfast.api;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A place of code.
 *
 * @param cursor in code points from the beginning
 */
@Schema(
        name = "CompletionRequest",
        requiredProperties = {"code", "cursor"})
public record CompletionRequest(
        @Schema(maxLength = 262144, examples = "tot") String code,
        @Schema(minimum = "0", examples = "3") Integer cursor) {}
