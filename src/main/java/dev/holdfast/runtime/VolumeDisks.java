package dev.holdfast.runtime;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * File systems that machines share and that outlive them: each one sparse image, mounted once.
 *
 * <p>What is in one is hostile to whoever reads it on the host. So nothing on it is a device or
 * gives anybody rights, and the kernel follows no symbolic link on it: a path without "..", below
 * {@link #content}, never leaves it, whatever is renamed meanwhile.
 *
 * <p>Three directories are on it: what machines see, and beside that, where no machine sees them,
 * what is on its way in and what is on its way out.
 */
public final class VolumeDisks {
    private static final System.Logger LOG = System.getLogger(VolumeDisks.class.getName());

    private static final String OPTIONS =
            "noatime,discard,nodev,nosuid,nosymfollow,noinit_itable,errors=remount-ro";

    private static final String CONTENT = "content";
    private static final String INCOMING = "incoming";
    private static final String OUTGOING = "outgoing";

    /** Numbers of the ordinary user in sandboxes. */
    private static final int USER = 1000;

    private static final Duration LONG = Duration.ofMinutes(5);

    private final Path images;
    private final Path mounts;
    private final Map<UUID, Object> locks = new ConcurrentHashMap<>();

    /** What this run has mounted or found mounted, with all its places made. */
    private final Set<UUID> opened = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /**
     * @param images where the images are kept
     * @param home of the server; its worker's part holds the mounts
     */
    public VolumeDisks(Path images, Path home) {
        this.images = images;
        this.mounts = home.resolve("worker/volumes");
    }

    /** What is in use of a file system, and how much it can take. */
    public record Space(long total, long used) {}

    public boolean exists(UUID id) {
        return Files.exists(image(id));
    }

    /** Makes an empty one, unless it is there. All or nothing. */
    public void make(UUID id, long bytes) {
        alone(
                id,
                () -> {
                    if (!exists(id)) {
                        format(id, bytes);
                    }
                });
    }

    /** Mounts it, unless it is; what never came in whole is removed. */
    public void open(UUID id) {
        if (opened.contains(id)) {
            return;
        }
        alone(
                id,
                () -> {
                    if (closed) {
                        throw new MachineFailure(
                                MachineFailure.Reason.NOT_READY, "The server stops");
                    }
                    if (!opened.contains(id)) {
                        if (!Mounts.mounted(point(id))) {
                            Mounts.disk(image(id), point(id), OPTIONS);
                        }
                        prepare(point(id));
                        opened.add(id);
                    }
                });
    }

    /** What machines see of it; only while it is open. */
    public Path content(UUID id) {
        return point(id).resolve(CONTENT);
    }

    /** A place on it for what is not whole yet. */
    public Path incoming(UUID id) {
        return point(id).resolve(INCOMING).resolve(UUID.randomUUID().toString());
    }

    /** A place on it for what {@link #discard} is to remove. */
    public Path outgoing(UUID id) {
        return point(id).resolve(OUTGOING).resolve(UUID.randomUUID().toString());
    }

    /** However deep and large it is. */
    public void discard(Path outgoing) {
        Command.await(
                Command.start(List.of("rm", "-rf", "--one-file-system", "--", outgoing.toString())),
                LONG);
    }

    public Space space(UUID id) {
        try {
            FileStore store = Files.getFileStore(point(id));
            return new Space(
                    store.getTotalSpace(), store.getTotalSpace() - store.getUnallocatedSpace());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it has fewer bytes than this, as one has that was to grow and is not yet. */
    public boolean isSmallerThan(UUID id, long bytes) {
        return image(id).toFile().length() < bytes;
    }

    /**
     * Makes a file system larger. Fails while a machine or somebody on the host uses it: what is
     * looked at and changed from outside must not change from inside as well.
     */
    public void grow(UUID id, long bytes) {
        alone(
                id,
                () -> {
                    close(id);
                    if (Mounts.deviceOf(image(id)).isPresent()) {
                        throw new MachineFailure(
                                MachineFailure.Reason.BUSY, "Volume " + id + " is in use");
                    }
                    try (var file = new RandomAccessFile(image(id).toFile(), "rw")) {
                        if (file.length() < bytes) {
                            file.setLength(bytes);
                        }
                    }
                    check(id);
                    slow("resize2fs", image(id).toString());
                });
    }

    /** Unmounts it and forgets what was in it. Fails while somebody on the host uses it. */
    public void remove(UUID id) {
        alone(
                id,
                () -> {
                    close(id);
                    Files.deleteIfExists(image(id));
                    Files.deleteIfExists(half(id));
                });
    }

    /**
     * Unmounts all of them, after the machines. One that is in use all the same stays mounted for
     * the next run; nothing below a mount point is ever removed here.
     */
    public void closeAll() {
        closed = true;
        opened.clear();
        for (Path point : Mounts.under(mounts)) {
            try {
                Mounts.unmount(point);
                Files.deleteIfExists(point);
            } catch (IOException | RuntimeException e) {
                LOG.log(System.Logger.Level.WARNING, "Left mounted: " + point, e);
            }
        }
        mounts.toFile().delete(); // which does nothing while there is something in it
    }

    private void close(UUID id) throws IOException {
        opened.remove(id);
        Mounts.unmount(point(id));
        Files.deleteIfExists(point(id));
    }

    private void format(UUID id, long bytes) throws IOException {
        Files.createDirectories(
                images,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path half = half(id);
        try (var file = new RandomAccessFile(half.toFile(), "rw")) {
            file.setLength(bytes);
        }
        Files.setPosixFilePermissions(half, PosixFilePermissions.fromString("rw-------"));
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
                half.toString());
        Files.move(half, image(id), StandardCopyOption.ATOMIC_MOVE);
    }

    /** resize2fs takes no file system that was not looked at; what that mended is no failure. */
    private void check(UUID id) {
        Command done =
                Command.await(
                        Command.start(List.of("e2fsck", "-f", "-p", image(id).toString())), LONG);
        if (done.code() < 0 || done.code() > 1) {
            done.orThrow("e2fsck");
        }
    }

    private static void slow(String... line) {
        Command.await(Command.start(List.of(line)), LONG).orThrow(line[0]);
    }

    private void prepare(Path point) throws IOException {
        for (String name : List.of(INCOMING, OUTGOING)) {
            Path directory = point.resolve(name);
            if (Files.exists(directory)) {
                discard(directory);
            }
            Files.createDirectory(directory);
        }
        Path content = point.resolve(CONTENT);
        if (!Files.exists(content)) {
            Files.createDirectory(content);
            Files.setAttribute(content, "unix:uid", USER);
            Files.setAttribute(content, "unix:gid", USER);
            // Whoever is the user of another template's sandboxes writes here too.
            Files.setPosixFilePermissions(content, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
    }

    private Path image(UUID id) {
        return images.resolve(id + ".img");
    }

    private Path half(UUID id) {
        return images.resolve(id + ".new");
    }

    private Path point(UUID id) {
        return mounts.resolve(id.toString());
    }

    private void alone(UUID id, Step step) {
        synchronized (locks.computeIfAbsent(id, any -> new Object())) {
            try {
                step.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }
}
