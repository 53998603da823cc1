package dev.holdfast.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a file looked like when its digest was known to be right. The change time is part of it,
 * because whoever sets the modification time back cannot set that one.
 */
record Stamp(long length, Object modifiedAt, Object changedAt, Object inode) {

    static Optional<Stamp> of(Path file) throws IOException {
        try {
            Map<String, Object> found =
                    Files.readAttributes(
                            file,
                            "unix:size,lastModifiedTime,ctime,ino,isRegularFile",
                            LinkOption.NOFOLLOW_LINKS);
            if (!Boolean.TRUE.equals(found.get("isRegularFile"))) {
                return Optional.empty();
            }
            return Optional.of(
                    new Stamp(
                            (long) found.get("size"),
                            found.get("lastModifiedTime"),
                            found.get("ctime"),
                            found.get("ino")));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
    }
}
