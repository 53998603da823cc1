package dev.holdfast.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * File systems that machines share and that outlive them: each one image, mounted once.
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
            "noatime,nodiscard,nodev,nosuid,nosymfollow,noinit_itable,errors=remount-ro";

    /** Without it whoever reads would be led wherever a machine wants. */
    private static final String SHUT = "nosymfollow";

    private static final String CONTENT = "content";
    private static final String INCOMING = "incoming";
    private static final String OUTGOING = "outgoing";

    /** Numbers of the ordinary user in sandboxes. */
    private static final int USER = 1000;

    /** For what is removed, however much that is. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private final VolumeImages images;
    private final Path mounts;
    private final Map<UUID, Object> locks = new ConcurrentHashMap<>();

    /** What this run has mounted or found mounted, with all its places made. */
    private final Set<UUID> opened = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /**
     * @param images where the images are kept
     * @param home of the server; its worker's part holds the mounts
     * @param reserve how many bytes of the images' disk no image takes
     */
    public VolumeDisks(Path images, Path home, long reserve) {
        this.images = new VolumeImages(images, reserve);
        this.mounts = home.resolve("worker/volumes");
    }

    /** What is in use of a file system, and how much it can take. */
    public record Space(long total, long used) {}

    public boolean exists(UUID id) {
        return images.exists(id);
    }

    /** How many bytes images may take yet; less than none when the disk has its reserve no more. */
    public long room() {
        return images.room();
    }

    /** How many bytes its image has; of the disk as many are taken, once it was {@link #fill}ed. */
    public long size(UUID id) {
        return images.size(id);
    }

    /** Takes what an image of before, which took its blocks as they came, has not taken yet. */
    public void fill(UUID id) {
        alone(id, () -> images.fill(id));
    }

    /** Makes an empty one, unless it is there. All or nothing. */
    public void make(UUID id, long bytes) {
        alone(id, () -> images.make(id, bytes));
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
                        mount(id);
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

    /** Whether it is to grow to so many bytes, or began to and was broken off. */
    public boolean isToGrow(UUID id, long bytes) {
        return images.exists(id) && (images.size(id) < bytes || !images.isWhole(id));
    }

    /**
     * Makes a file system larger. Fails while a machine or somebody on the host uses it: what is
     * looked at and changed from outside must not change from inside as well. One that is broken
     * off is marked as such, and is not mounted before this was done again.
     */
    public void grow(UUID id, long bytes) {
        alone(
                id,
                () -> {
                    close(id);
                    if (Mounts.deviceOf(images.of(id)).isPresent()) {
                        throw new MachineFailure(
                                MachineFailure.Reason.BUSY, "Volume " + id + " is in use");
                    }
                    images.grow(id, bytes);
                });
    }

    /** Unmounts it and forgets what was in it. Fails while somebody on the host uses it. */
    public void remove(UUID id) {
        alone(
                id,
                () -> {
                    close(id);
                    images.remove(id);
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

    /** Of one that is in use and stays, nothing is forgotten: what comes in on it goes on. */
    private void close(UUID id) throws IOException {
        Mounts.unmount(point(id));
        opened.remove(id);
        Files.deleteIfExists(point(id));
    }

    private void mount(UUID id) throws IOException {
        if (Mounts.mounted(point(id))) {
            Mounts.again(point(id), OPTIONS); // an earlier version's may have been others
        } else if (!images.isWhole(id)) {
            throw new MachineFailure(
                    MachineFailure.Reason.FAILED,
                    "Volume " + id + " began to grow, was broken off and is not whole");
        } else {
            Mounts.disk(images.of(id), point(id), OPTIONS);
        }
        if (!Mounts.has(point(id), SHUT)) {
            throw new MachineFailure(
                    MachineFailure.Reason.NOT_READY,
                    "This kernel would follow the links on volume " + id);
        }
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
