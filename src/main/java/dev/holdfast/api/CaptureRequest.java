package dev.holdfast.api;

import dev.holdfast.snapshot.Labels;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What is to be saved.
 *
 * @param name {@code [slug/]short[:tag]}; unnamed if absent or empty
 * @param memory whether what is made from it goes on where the sandbox was; true if absent
 * @param deadline the seconds it may take
 * @param retention the seconds it is kept from the moment it is saved; as its project has it if
 *     absent
 * @param labels up to 32
 */
public record CaptureRequest(
        @Schema(maxLength = 400, examples = "deps-ready:v1") String name,
        Boolean memory,
        @Schema(minimum = "1", examples = "300") Long deadline,
        @Schema(minimum = "1", examples = "86400") Long retention,
        @Schema(maxProperties = Labels.MOST) Map<String, String> labels) {}
