package dev.holdfast.contents;

import dev.holdfast.agent.GuestPath;
import dev.holdfast.agent.TreeEntry;
import java.time.Instant;
import java.util.Optional;

/**
 * A file, or whatever else has a path in a snapshot.
 *
 * @param path for people; where its bytes are no text each of those is replaced
 * @param bytes of the path, base64 for URLs; only where they are no text
 * @param type {@code file}, {@code directory}, {@code link}, ...
 * @param mode in octal digits
 * @param target where a link leads, or the numbers of a device
 */
public record Item(
        String path,
        Optional<String> bytes,
        String type,
        String mode,
        long uid,
        long gid,
        long size,
        Instant modifiedAt,
        Optional<String> target) {

    static Item of(TreeEntry entry, GuestPath path) {
        return new Item(
                path.shown(),
                bytes(path),
                entry.kind().word(),
                mode(entry),
                entry.uid(),
                entry.gid(),
                entry.size(),
                entry.modifiedAt(),
                entry.target().map(GuestPath::shown));
    }

    static String mode(TreeEntry entry) {
        return "%04o".formatted(entry.mode());
    }

    static Optional<String> bytes(GuestPath path) {
        return path.text().isPresent() ? Optional.empty() : Optional.of(AskedPath.token(path));
    }
}
