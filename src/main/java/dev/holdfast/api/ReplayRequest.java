package dev.holdfast.api;

import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** From when on what happened is sent once more. */
@Schema(
        name = "ReplayRequest",
        requiredProperties = {"since"})
record ReplayRequest(Instant since) {}
