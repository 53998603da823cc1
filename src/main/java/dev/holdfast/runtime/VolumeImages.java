package dev.holdfast.runtime;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * The images of file systems, none of them mounted while it is changed.
 *
 * <p>An image has all its blocks of the disk from the beginning, and gives none back before it
 * goes. So what is written on one never finds the disk full, whatever else that has to take, and
 * nothing that is promised is lost; and no image is made or grows into what the disk is to keep
 * free.
 */
final class VolumeImages {
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final String NO_SPACE = "No space left on device";

    /** What stat counts in. */
    private static final int BLOCK = 512;

    private final Path directory;
    private final long reserve;

    VolumeImages(Path directory, long reserve) {
        this.directory = directory;
        this.reserve = reserve;
    }

    Path of(UUID id) {
        return directory.resolve(id + ".img");
    }

    boolean exists(UUID id) {
        return Files.exists(of(id));
    }

    long size(UUID id) {
        return of(id).toFile().length();
    }

    /** Whether it is not one that began to grow and was broken off. */
    boolean isWhole(UUID id) {
        return Files.notExists(growing(id));
    }

    long room() {
        try {
            return Files.getFileStore(made()).getUsableSpace() - reserve;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes one with an empty file system, unless it is there. All or nothing. */
    void make(UUID id, long bytes) throws IOException {
        if (exists(id)) {
            return;
        }
        made();
        Path half = half(id);
        Files.write(half, new byte[0]);
        Files.setPosixFilePermissions(half, PosixFilePermissions.fromString("rw-------"));
        try {
            take(half, bytes);
            format(half);
        } catch (IOException | RuntimeException e) {
            Files.delete(half);
            throw e;
        }
        Files.move(half, of(id), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void format(Path image) {
        Command.must(
                "mkfs.ext4",
                "-q",
                "-F",
                "-m",
                "0",
                "-b",
                "4096",
                "-i",
                "8192",
                "-J",
                "size=4",
                "-E",
                "nodiscard,lazy_itable_init=1,lazy_journal_init=1",
                image.toString());
    }

    /** Takes the blocks of one that took them as they came. */
    void fill(UUID id) throws IOException {
        take(of(id), size(id));
    }

    /**
     * One that is broken off has a mark, until this was done again. What there is no room for was
     * not begun.
     */
    void grow(UUID id, long bytes) throws IOException {
        boolean again = !isWhole(id);
        mark(growing(id));
        try {
            take(of(id), bytes);
        } catch (MachineFailure e) {
            if (!again) {
                Files.delete(growing(id));
            }
            throw e;
        }
        check(id);
        Command.await(Command.start(List.of("resize2fs", of(id).toString())), LONG)
                .orThrow("resize2fs");
        Files.delete(growing(id));
    }

    void remove(UUID id) throws IOException {
        Files.deleteIfExists(of(id));
        Files.deleteIfExists(half(id));
        Files.deleteIfExists(growing(id));
    }

    private Path made() throws IOException {
        return Files.createDirectories(
                directory,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /**
     * Gives a file so many bytes and all their blocks, or leaves it as it is. One at a time: of two
     * files that the disk has room for one of, one gets it.
     */
    private synchronized void take(Path file, long bytes) throws IOException {
        long before = Files.size(file);
        long after = Math.max(bytes, before);
        long more = after - taken(file);
        if (more > 0 && more > room()) {
            throw full(file);
        }
        Command done =
                Command.await(
                        Command.start(
                                List.of(
                                        "fallocate",
                                        "--length",
                                        Long.toString(after),
                                        file.toString())),
                        LONG);
        if (done.failed()) {
            try (var shorter = new RandomAccessFile(file.toFile(), "rw")) {
                shorter.setLength(before);
            }
            if (done.output().contains(NO_SPACE)) {
                throw full(file);
            }
            done.orThrow("fallocate");
        }
    }

    private static long taken(Path file) {
        return BLOCK * Long.parseLong(Command.must("stat", "--format=%b", file.toString()));
    }

    private static MachineFailure full(Path file) {
        return new MachineFailure(
                MachineFailure.Reason.NO_SPACE,
                "The disk has no room for all of " + file + " beside what is to be kept free");
    }

    /** Lasts longer than a host that goes down does. */
    private static void mark(Path file) throws IOException {
        Files.write(file, new byte[0]);
        try (FileChannel names = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    /** resize2fs takes no file system that was not looked at; what that mended is no failure. */
    private void check(UUID id) {
        Command done =
                Command.await(
                        Command.start(List.of("e2fsck", "-f", "-p", of(id).toString())), LONG);
        if (done.code() < 0 || done.code() > 1) {
            done.orThrow("e2fsck");
        }
    }

    private Path half(UUID id) {
        return directory.resolve(id + ".new");
    }

    /** There while it grows, and after a crash in the middle of that. */
    private Path growing(UUID id) {
        return directory.resolve(id + ".growing");
    }
}
