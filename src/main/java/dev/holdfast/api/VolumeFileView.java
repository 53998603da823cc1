package dev.holdfast.api;

import dev.holdfast.drive.Entry;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A file in a volume, or whatever else has a path there.
 *
 * @param path what is no UTF-8 in it is replaced
 * @param pathBytes the same as base64 for URLs; only where it is no UTF-8
 * @param mode in octal digits
 * @param size of a file or a link; of anything else 0
 * @param target where a link says that it leads; nothing follows it here
 */
@Schema(
        name = "VolumeFile",
        requiredProperties = {"path", "type", "mode", "uid", "gid", "size", "modifiedAt"})
public record VolumeFileView(
        @Schema(examples = "/data/notes.txt") String path,
        String pathBytes,
        @Schema(
                        enumeration = {
                            "file",
                            "directory",
                            "link",
                            "fifo",
                            "socket",
                            "character",
                            "block",
                            "other"
                        })
                String type,
        @Schema(examples = "0644") String mode,
        long uid,
        long gid,
        long size,
        Instant modifiedAt,
        String target) {

    static VolumeFileView of(Entry entry) {
        return new VolumeFileView(
                entry.path().shown(),
                entry.bytes().orElse(null),
                entry.type(),
                "%04o".formatted(entry.mode()),
                entry.uid(),
                entry.gid(),
                entry.size(),
                entry.modifiedAt(),
                entry.target().orElse(null));
    }
}
