package dev.holdfast.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * What this room asks of a local file system: private modes from the first moment (memory images
 * hold secrets, so a mode set after creation would be too late), durability by name, whole trees.
 */
public final class Disk {

    static final Set<PosixFilePermission> PRIVATE_FILE =
            PosixFilePermissions.fromString("rw-------");
    static final Set<PosixFilePermission> PRIVATE_DIRECTORY =
            PosixFilePermissions.fromString("rwx------");

    private static final FileAttribute<?> FILE_MODE =
            PosixFilePermissions.asFileAttribute(PRIVATE_FILE);
    private static final FileAttribute<?> DIRECTORY_MODE =
            PosixFilePermissions.asFileAttribute(PRIVATE_DIRECTORY);
    static final int CHUNK = 256 * 1024;

    private Disk() {}

    static void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory, DIRECTORY_MODE);
    }

    static void createDirectory(Path directory) throws IOException {
        Files.createDirectory(directory, DIRECTORY_MODE);
    }

    static FileChannel create(Path file) throws IOException {
        return FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), FILE_MODE);
    }

    /** Makes the names in a directory durable. */
    static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    static void copy(Path file, OutputStream target) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            copy(Channels.newInputStream(channel), target);
        }
    }

    static void copy(InputStream source, OutputStream target) throws IOException {
        byte[] chunk = new byte[CHUNK];
        for (int count = source.read(chunk); count >= 0; count = source.read(chunk)) {
            target.write(chunk, 0, count);
        }
    }

    /** Removes a tree; one that is already gone, in whole or in part, is fine. Follows no links. */
    public static void deleteTree(Path root) throws IOException {
        if (Files.notExists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.deleteIfExists(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure)
                            throws IOException {
                        if (failure instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE;
                        }
                        throw failure;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
                            throws IOException {
                        if (failure != null) {
                            throw failure;
                        }
                        Files.deleteIfExists(directory);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
