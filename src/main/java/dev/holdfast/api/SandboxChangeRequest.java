package dev.holdfast.api;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What is to be changed of a sandbox, as it is described: one thing at a time. */
@Schema(
        name = "SandboxChange",
        minProperties = 1,
        maxProperties = 1,
        additionalProperties = Schema.False.class)
record SandboxChangeRequest(
        @Schema(
                        type = SchemaType.INTEGER,
                        minimum = "1",
                        description = "Seconds that it lives from now on")
                Long timeout,
        @Schema(
                        type = SchemaType.INTEGER,
                        nullable = true,
                        minimum = "1",
                        description = "Seconds; null: as long as it lives",
                        examples = "600")
                Long idleTimeout) {}
