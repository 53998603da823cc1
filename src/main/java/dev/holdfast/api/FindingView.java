package dev.holdfast.api;

import dev.holdfast.job.Finding;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Something that a person should look at.
 *
 * @param subject what it is about, usually the ID of a snapshot
 * @param reason a stable word
 * @param objects how many stored objects or rows it is about, and their bytes
 */
@Schema(
        name = "Finding",
        requiredProperties = {"subject", "reason", "detail", "objects", "bytes", "foundAt"})
public record FindingView(
        @Schema(examples = "0b9ad7ce-5a7e-4b1f-8e0c-6c2f1f6f2a10") String subject,
        @Schema(examples = "orphan_object") String reason,
        @Schema(examples = "No row owns these objects.") String detail,
        long objects,
        long bytes,
        Instant foundAt) {

    static FindingView of(Finding.Found found) {
        return new FindingView(
                found.finding().subject(),
                found.finding().reason(),
                found.finding().detail(),
                found.finding().objects(),
                found.finding().bytes(),
                found.at());
    }
}
