package dev.holdfast.api;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What is to be changed of a sandbox, as it is described. */
@Schema(
        name = "SandboxChange",
        requiredProperties = "idleTimeout",
        additionalProperties = Schema.False.class)
record SandboxChangeRequest(
        @Schema(
                        type = SchemaType.INTEGER,
                        nullable = true,
                        minimum = "1",
                        description = "Seconds; null: as long as it lives",
                        examples = "600")
                Long idleTimeout) {}
