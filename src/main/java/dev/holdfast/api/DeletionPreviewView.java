package dev.holdfast.api;

import dev.holdfast.inventory.BulkDeletion;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.Standing;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What a deletion would meet; nothing is changed.
 *
 * @param count how many there are
 * @param countIsExact otherwise there are more, and count and bytes are of the first of them
 * @param bytes stored, and free when the clean-up is over
 * @param occupied what would stay, because sandboxes live from it; the first 100
 * @param moreOccupied whether that is not all of it
 * @param guarded how many are pinned or held, so that they would stay too
 * @param previewed what allows the deletion by this filter
 */
@Schema(
        name = "DeletionPreview",
        requiredProperties = {
            "preview",
            "count",
            "countIsExact",
            "bytes",
            "occupied",
            "moreOccupied",
            "guarded"
        })
public record DeletionPreviewView(
        boolean preview,
        long count,
        boolean countIsExact,
        long bytes,
        List<OccupiedView> occupied,
        boolean moreOccupied,
        @Schema(minimum = "0") long guarded,
        String previewed) {

    /** One that would stay. */
    @Schema(
            name = "OccupiedSnapshot",
            requiredProperties = {"id", "occupants"})
    public record OccupiedView(@Schema(format = "uuid") String id, List<String> occupants) {}

    static DeletionPreviewView of(
            BulkDeletion.Preview preview, Map<SnapshotId, Standing> standings, boolean filtered) {
        return new DeletionPreviewView(
                true,
                preview.sums().count(),
                preview.sums().exact(),
                preview.sums().bytes(),
                preview.occupied().stream()
                        .map(Snapshot::id)
                        .filter(standings::containsKey)
                        .map(
                                id ->
                                        new OccupiedView(
                                                id.toString(),
                                                standings.get(id).occupants().stream()
                                                        .map(SandboxId::value)
                                                        .toList()))
                        .toList(),
                preview.moreOccupied(),
                preview.guarded(),
                filtered ? preview.token() : null);
    }
}
