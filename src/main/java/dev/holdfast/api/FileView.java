package dev.holdfast.api;

import dev.holdfast.contents.Item;
import dev.holdfast.drive.Entry;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A file in a snapshot or a volume, or whatever else has a path there.
 *
 * @param path what is no UTF-8 in it is replaced
 * @param pathBytes the same as base64 for URLs; only where it is no UTF-8
 * @param mode in octal digits
 * @param size of a file or a link; of anything else 0
 * @param target where a link leads, or the numbers of a device
 */
@Schema(
        name = "File",
        requiredProperties = {"path", "type", "mode", "uid", "gid", "size", "modifiedAt"})
public record FileView(
        @Schema(examples = "/home/user/notes.txt") String path,
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

    static FileView of(Entry entry) {
        return new FileView(
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

    static FileView of(Item item) {
        return item == null
                ? null
                : new FileView(
                        item.path(),
                        item.bytes().orElse(null),
                        item.type(),
                        item.mode(),
                        item.uid(),
                        item.gid(),
                        item.size(),
                        item.modifiedAt(),
                        item.target().orElse(null));
    }
}
