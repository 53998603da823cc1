package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import jakarta.json.JsonValue;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * With what a snapshot is to be compared.
 *
 * @param since the snapshot as it was, by ID or qualified name
 */
public record ComparisonRequest(
        @Schema(required = true, maxLength = 400, examples = "5f0c7a34-1c0e-4b46-9c3a-3d8f6f1d2b90")
                String since) {

    private static final String SINCE = "since";

    static ComparisonRequest read(JsonValue body) {
        return new ComparisonRequest(
                Asked.of(body, Set.of(SINCE))
                        .text(SINCE)
                        .orElseThrow(
                                () ->
                                        Problem.invalid(
                                                SINCE,
                                                "\"since\" names the snapshot to compare with.")));
    }
}
