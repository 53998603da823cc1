package dev.holdfast.drive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A file, or whatever else has a path in a volume; links are not followed.
 *
 * @param type {@code file}, {@code directory}, {@code link}, ...
 * @param mode the permissions alone
 * @param size of a file or a link; of anything else 0
 * @param target where a link says that it leads
 * @param version the same as long as it is the same file with the same content
 */
public record Entry(
        DrivePath path,
        String type,
        int mode,
        long uid,
        long gid,
        long size,
        Instant modifiedAt,
        Instant accessedAt,
        Instant changedAt,
        Optional<String> target,
        String version) {

    private static final int KIND = 0170000;
    private static final int PERMISSIONS = 07777;

    /** What stat says of it. */
    static Entry of(DrivePath path, Path place) throws IOException {
        Map<String, Object> found =
                Files.readAttributes(
                        place,
                        "unix:mode,uid,gid,ino,size,lastModifiedTime,lastAccessTime,ctime",
                        LinkOption.NOFOLLOW_LINKS);
        int mode = (int) found.get("mode");
        String type = type(mode);
        long size = type.equals("file") || type.equals("link") ? (long) found.get("size") : 0;
        Instant modified = ((FileTime) found.get("lastModifiedTime")).toInstant();
        return new Entry(
                path,
                type,
                mode & PERMISSIONS,
                number(found.get("uid")),
                number(found.get("gid")),
                size,
                modified,
                ((FileTime) found.get("lastAccessTime")).toInstant(),
                ((FileTime) found.get("ctime")).toInstant(),
                type.equals("link") ? target(place) : Optional.empty(),
                Long.toHexString((long) found.get("ino"))
                        + "-"
                        + Long.toHexString(modified.getEpochSecond())
                        + "."
                        + modified.getNano()
                        + "-"
                        + Long.toHexString(size));
    }

    /** Empty where somebody has put something else there since it was looked at. */
    private static Optional<String> target(Path place) throws IOException {
        try {
            return Optional.of(Files.readSymbolicLink(place).toString());
        } catch (NotLinkException replaced) {
            return Optional.empty();
        }
    }

    public boolean isDirectory() {
        return type.equals("directory");
    }

    public boolean isFile() {
        return type.equals("file");
    }

    /** Its path where that is no text, in base64 for URLs. */
    public Optional<String> bytes() {
        return Optional.ofNullable(path.bytesIfNoText());
    }

    private static long number(Object id) {
        return ((Number) id).longValue() & 0xffff_ffffL;
    }

    private static String type(int mode) {
        return switch (mode & KIND) {
            case 0100000 -> "file";
            case 0040000 -> "directory";
            case 0120000 -> "link";
            case 0010000 -> "fifo";
            case 0140000 -> "socket";
            case 0020000 -> "character";
            case 0060000 -> "block";
            default -> "other";
        };
    }
}
