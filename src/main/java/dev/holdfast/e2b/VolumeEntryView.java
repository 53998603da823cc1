package dev.holdfast.e2b;

import dev.holdfast.drive.Entry;
import java.time.Instant;

/** What stat says of something in a volume. */
public record VolumeEntryView(
        String name,
        String path,
        String type,
        long size,
        int mode,
        long uid,
        long gid,
        Instant atime,
        Instant mtime,
        Instant ctime,
        String target) {

    static VolumeEntryView of(Entry entry) {
        return new VolumeEntryView(
                entry.path().name(),
                entry.path().shown(),
                clientWord(entry.type()),
                entry.size(),
                entry.mode(),
                entry.uid(),
                entry.gid(),
                entry.accessedAt(),
                entry.modifiedAt(),
                entry.changedAt(),
                entry.target().orElse(null));
    }

    private static String clientWord(String type) {
        return switch (type) {
            case "file", "directory" -> type;
            case "link" -> "symlink";
            default -> "unknown";
        };
    }
}
