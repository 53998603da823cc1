package dev.holdfast.api;

import dev.holdfast.drive.Room;
import dev.holdfast.volume.Usage;
import dev.holdfast.volume.Volume;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A volume.
 *
 * @param limitBytes the size of its file system, whose own bookkeeping takes some of it
 * @param usedBytes absent where its worker cannot say
 * @param availableBytes what is left for files; absent where its worker cannot say
 * @param mountedBy sandboxes, also paused ones: while there are any it cannot be deleted
 * @param snapshots some of the snapshots that mount it, the newest first: none of them can be
 *     restored once it is deleted
 * @param snapshotCount how many of these there are
 */
@Schema(
        name = "Volume",
        requiredProperties = {
            "id",
            "name",
            "limitBytes",
            "worker",
            "mountedBy",
            "snapshots",
            "snapshotCount",
            "createdAt",
            "createdBy"
        })
public record VolumeView(
        @Schema(format = "uuid") String id,
        @Schema(examples = "datasets") String name,
        String note,
        @Schema(examples = "1073741824") long limitBytes,
        Long usedBytes,
        Long availableBytes,
        @Schema(examples = "worker-1") String worker,
        List<String> mountedBy,
        List<String> snapshots,
        long snapshotCount,
        Instant createdAt,
        @Schema(examples = "key:d5b1c9e0-7a34-4f0c-b2f1-90f4a6c3e871") String createdBy) {

    static VolumeView of(Volume volume, Optional<Room> room, Usage usage) {
        return new VolumeView(
                volume.id().toString(),
                volume.name(),
                volume.terms().note().orElse(null),
                volume.terms().limit(),
                room.map(Room::used).orElse(null),
                room.map(each -> each.total() - each.used()).orElse(null),
                volume.worker(),
                usage.sandboxes(),
                usage.snapshots(),
                usage.snapshotCount(),
                volume.createdAt(),
                volume.createdBy());
    }
}
