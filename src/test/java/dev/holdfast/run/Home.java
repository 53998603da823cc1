package dev.holdfast.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** The locked HOLDFAST_HOME: its lock, its secrets, and the careful removal of what lies in it. */
final class Home implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path path;
    private final FileChannel lockFile;

    private Home(Path path, FileChannel lockFile) {
        this.path = path;
        this.lockFile = lockFile;
    }

    /**
     * Takes the home for this process. The kernel gives the lock back however this process ends.
     */
    static Home lock(Path path) throws IOException {
        Files.createDirectories(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        var file =
                FileChannel.open(
                        path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = file.tryLock();
        } catch (OverlappingFileLockException e) {
            // Held by this very process: the same refusal.
        }
        if (lock == null) {
            file.close();
            throw new IllegalStateException(
                    path + " is in use by another Holdfast; set HOLDFAST_HOME and the ports");
        }
        return new Home(path, file);
    }

    Path path() {
        return path;
    }

    /** A secret that is made once and kept in a file only we can read. */
    String secret(String name, String prefix) throws IOException {
        var file = path.resolve(name);
        if (!Files.exists(file)) {
            var bytes = new byte[20];
            RANDOM.nextBytes(bytes);
            write(file, prefix + HexFormat.of().formatHex(bytes) + "\n");
        }
        return Files.readString(file).strip();
    }

    /** Replaces the file at once and readable by us only, so that nobody sees half a secret. */
    static void write(Path file, String text) throws IOException {
        var draft = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        Files.createFile(
                draft,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(draft, text);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Mount points at or below a path; nothing there may be deleted through them. */
    static List<String> mountsBelow(Path path) throws IOException {
        var root = path.toString();
        try (var lines = Files.lines(Path.of("/proc/self/mountinfo"))) {
            return lines.map(line -> line.split(" ")[4])
                    .filter(point -> point.equals(root) || point.startsWith(root + "/"))
                    .toList();
        }
    }

    /** Empties the home but for the named entries. */
    void clear(Set<String> kept) throws IOException {
        try (var entries = Files.list(path)) {
            for (var entry : entries.toList()) {
                var name = entry.getFileName().toString();
                if (!name.equals("lock") && !kept.contains(name)) {
                    delete(entry);
                }
            }
        }
    }

    static void delete(Path tree) throws IOException {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        var mounts = mountsBelow(tree);
        if (!mounts.isEmpty()) {
            throw new IOException("still mounted: " + mounts);
        }
        try (var files = Files.walk(tree)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(
                            file -> {
                                try {
                                    Files.delete(file);
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
        }
    }

    /** Gives the lock back; the lock file stays, because removing it would let two owners in. */
    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
