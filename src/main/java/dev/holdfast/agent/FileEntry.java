package dev.holdfast.agent;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What is at a path. A link has the type and the permission bits of what it leads to, and says
 * where that is. The metadata are what callers noted about a regular file when they wrote it.
 */
public record FileEntry(
        String name,
        String path,
        Type type,
        long size,
        int mode,
        String permissions,
        String owner,
        String group,
        Instant modifiedAt,
        Optional<String> target,
        Map<String, String> metadata) {

    /** SYMLINK is a link that leads nowhere. */
    public enum Type {
        FILE,
        DIRECTORY,
        SYMLINK,
        OTHER
    }

    /** More do not fit into what a file has room for. */
    private static final int MOST_METADATA = 1024;

    private static final long NANOS = 1_000_000_000L;

    static FileEntry of(Members members) {
        var modified = members.number("modified", 0);
        return new FileEntry(
                members.text("name"),
                members.text("path"),
                type(members.text("type")),
                Math.max(0, members.number("size", 0)),
                (int) members.number("mode", 0) & 07777,
                members.text("permissions"),
                members.text("owner"),
                members.text("group"),
                Instant.ofEpochSecond(
                        Math.floorDiv(modified, NANOS), Math.floorMod(modified, NANOS)),
                Optional.of(members.text("target")).filter(path -> members.has("target")),
                members.map("metadata", MOST_METADATA));
    }

    private static Type type(String word) {
        return switch (word) {
            case "file" -> Type.FILE;
            case "directory" -> Type.DIRECTORY;
            case "symlink" -> Type.SYMLINK;
            default -> Type.OTHER;
        };
    }
}
