package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What takes the place of a sandbox's state: one of the two names it. */
@Schema(name = "RestoreInPlaceRequest")
public record RestoreInPlaceRequest(
        @Schema(format = "uuid", description = "The ID of a snapshot") String snapshotId,
        @Schema(description = "Its qualified name, or its ID", examples = "claims/deps-ready:v1")
                String reference) {

    /**
     * @throws Problem {@code invalid_parameter} when not just one of the two is said
     */
    String named() {
        Optional<String> id = said(snapshotId);
        Optional<String> name = said(reference);
        if (id.isPresent() == name.isPresent()) {
            throw Problem.invalid(
                    "snapshotId",
                    "Name the snapshot to restore either by \"snapshotId\" or by \"reference\".");
        }
        return id.or(() -> name).orElseThrow();
    }

    private static Optional<String> said(String text) {
        return Optional.ofNullable(text).filter(each -> !each.isBlank());
    }
}
