package dev.holdfast.storage;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@link ImageCache} knows of one directory; its fields are guarded by the cache. */
final class Image {

    List<Part> parts = List.of();

    /** By part name; empty as long as this process has not checked the digests. */
    Map<String, Stamp> verified = Map.of();

    boolean present;
    boolean forgotten;
    int leases;
    long bytes;

    boolean isVerifiedAs(List<Part> wanted, Map<String, Stamp> found) {
        return present && parts.equals(wanted) && verified.equals(found);
    }

    /** The files' stamps, if the directory holds exactly these parts in their raw lengths. */
    static Optional<Map<String, Stamp>> stamps(Path directory, List<Part> parts)
            throws IOException {
        Map<String, Stamp> stamps = new HashMap<>();
        for (Part part : parts) {
            Optional<Stamp> stamp = Stamp.of(directory.resolve(part.name()));
            if (stamp.isEmpty() || stamp.get().length() != part.rawLength()) {
                return Optional.empty();
            }
            stamps.put(part.name(), stamp.get());
        }
        return fileCount(directory) == stamps.size() ? Optional.of(stamps) : Optional.empty();
    }

    static boolean digestsMatch(Path directory, List<Part> parts) throws IOException {
        for (Part part : parts) {
            if (!Sha256.of(directory.resolve(part.name())).equals(part.rawDigest())) {
                return false;
            }
        }
        return true;
    }

    static long bytesBelow(Path directory) throws IOException {
        long bytes = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                bytes += Stamp.of(file).map(Stamp::length).orElse(0L);
            }
        }
        return bytes;
    }

    private static int fileCount(Path directory) throws IOException {
        int count = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                count++;
            }
        } catch (NoSuchFileException | NotDirectoryException absent) {
            return -1;
        }
        return count;
    }
}
