package dev.holdfast.storage;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/**
 * The raw images of snapshots on this worker, one directory for each snapshot, ready to restore
 * from.
 *
 * <p>Two locks divide the work. The monitor guards the table (who leases what, how many bytes) and
 * is held only for renames; a flight per snapshot guards the files of that snapshot and may take as
 * long as a fetch takes. A directory is placed only by its flight, or by an adoption while nobody
 * leases; it is taken away only while nobody leases, or by its flight.
 */
public final class ImageCache {

    private static final System.Logger LOG = System.getLogger(ImageCache.class.getName());

    private static final Pattern SNAPSHOT_ID =
            Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final Path root;
    private final Parts store;
    private final long capacity;
    private final SingleFlight<UUID> flights = new SingleFlight<>();

    /** Least recently used first. */
    private final Map<UUID, Image> images = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    public ImageCache(Parts store, StorageConfig config) throws IOException {
        this.store = Objects.requireNonNull(store, "store");
        this.root = config.cache().resolve("images").toAbsolutePath();
        this.capacity = config.cacheBytes();
        Disk.createDirectories(root);
        takeStock();
        evict();
    }

    /**
     * Takes a fresh checkpoint's directory over, after its files were sealed as these parts and
     * before they are known to anyone else. The directory must hold exactly those files, on the
     * cache's own file system; it is gone from its old place when this returns. If the snapshot is
     * here already, the directory is only removed.
     */
    public void adopt(UUID snapshotId, List<Part> parts, Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, Disk.PRIVATE_DIRECTORY);
        for (Part part : parts) {
            Files.setPosixFilePermissions(directory.resolve(part.name()), Disk.PRIVATE_FILE);
        }
        Map<String, Stamp> stamps =
                Image.stamps(directory, parts)
                        .orElseThrow(
                                () -> new IOException("the directory does not hold the parts"));
        if (!place(snapshotId, parts, directory, stamps)) {
            Disk.deleteTree(directory);
        }
        evict();
    }

    /**
     * Leases a directory that holds exactly the parts' raw files, each checked against its digest:
     * in full when it came in or when this process first met it, afterwards by length, times and
     * inode. What is not here or not intact is fetched, once, however many ask.
     *
     * @throws PartException the store cannot deliver what the parts promise
     */
    public Lease require(UUID snapshotId, List<Part> parts) throws IOException {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("an image has at least one part");
        }
        List<Part> wanted = List.copyOf(parts);
        Image image = pin(snapshotId);
        try {
            do {
                flights.run(snapshotId, () -> ensure(snapshotId, image, wanted));
            } while (!holds(image, wanted)); // the flight joined was about other parts
            return new Lease(snapshotId, image, directory(snapshotId));
        } catch (Throwable failure) {
            unpin(snapshotId, image);
            throw failure;
        }
    }

    /** Drops a snapshot's image: at once, or when the last lease on it ends. */
    public void forget(UUID snapshotId) {
        Optional<Path> gone = Optional.empty();
        synchronized (this) {
            Image image = images.get(snapshotId);
            if (image != null) {
                image.forgotten = true;
                gone = dropIfUnused(snapshotId, image);
            }
        }
        gone.ifPresent(ImageCache::remove);
    }

    private Path directory(UUID snapshotId) {
        return root.resolve(snapshotId.toString());
    }

    private Path aside(String why, UUID snapshotId) {
        return root.resolve("." + why + "-" + snapshotId + "-" + UUID.randomUUID());
    }

    private synchronized Image pin(UUID snapshotId) {
        Image image = images.computeIfAbsent(snapshotId, absent -> new Image());
        image.leases++;
        return image;
    }

    private void unpin(UUID snapshotId, Image image) {
        Optional<Path> gone;
        synchronized (this) {
            image.leases--;
            gone = dropIfUnused(snapshotId, image);
        }
        gone.ifPresent(ImageCache::remove);
        evict();
    }

    private synchronized boolean isVerified(
            Image image, List<Part> parts, Map<String, Stamp> found) {
        return image.isVerifiedAs(parts, found);
    }

    private synchronized boolean holds(Image image, List<Part> parts) {
        return image.present && image.parts.equals(parts);
    }

    private void ensure(UUID snapshotId, Image image, List<Part> parts) throws IOException {
        Path directory = directory(snapshotId);
        Optional<Map<String, Stamp>> stamps = Image.stamps(directory, parts);
        if (stamps.isPresent()) {
            if (isVerified(image, parts, stamps.get())) {
                return;
            }
            if (Image.digestsMatch(directory, parts)) {
                book(image, parts, stamps.get());
                return;
            }
        }
        setAside(snapshotId, image);
        book(image, parts, Map.of());
        evict();
        fetch(snapshotId, image, parts);
    }

    private void fetch(UUID snapshotId, Image image, List<Part> parts) throws IOException {
        Path making = aside("making", snapshotId);
        Disk.createDirectory(making);
        try {
            for (Part part : parts) {
                store.fetch(part, making.resolve(part.name()));
            }
            Map<String, Stamp> stamps =
                    Image.stamps(making, parts)
                            .orElseThrow(() -> new IOException("a fetched image was disturbed"));
            synchronized (this) {
                Files.move(making, directory(snapshotId), StandardCopyOption.ATOMIC_MOVE);
                image.present = true;
                image.verified = stamps;
            }
        } finally {
            Disk.deleteTree(making);
        }
    }

    private synchronized void book(Image image, List<Part> parts, Map<String, Stamp> stamps) {
        bytes -= image.bytes;
        image.bytes = parts.stream().mapToLong(Part::rawLength).sum();
        bytes += image.bytes;
        image.parts = parts;
        image.verified = stamps;
        image.present = !stamps.isEmpty();
    }

    private synchronized boolean place(
            UUID snapshotId, List<Part> parts, Path directory, Map<String, Stamp> stamps)
            throws IOException {
        if (images.containsKey(snapshotId)) {
            return false;
        }
        Files.move(directory, directory(snapshotId), StandardCopyOption.ATOMIC_MOVE);
        Image placed = new Image();
        images.put(snapshotId, placed);
        book(placed, List.copyOf(parts), stamps);
        return true;
    }

    /** Takes a damaged directory away, even from under others' leases: its successor follows. */
    private void setAside(UUID snapshotId, Image image) throws IOException {
        Path gone = aside("gone", snapshotId);
        synchronized (this) {
            image.present = false;
            try {
                Files.move(directory(snapshotId), gone, StandardCopyOption.ATOMIC_MOVE);
            } catch (NoSuchFileException absent) {
                return;
            }
        }
        remove(gone);
    }

    /** Called with the monitor held. What it returns is to be removed without it. */
    private Optional<Path> dropIfUnused(UUID snapshotId, Image image) {
        if (image.leases > 0 || (image.present && !image.forgotten)) {
            return Optional.empty();
        }
        return drop(snapshotId, image);
    }

    private Optional<Path> drop(UUID snapshotId, Image image) {
        images.remove(snapshotId, image);
        bytes -= image.bytes;
        Path gone = aside("gone", snapshotId);
        try {
            Files.move(directory(snapshotId), gone, StandardCopyOption.ATOMIC_MOVE);
            return Optional.of(gone);
        } catch (NoSuchFileException neverCame) {
            return Optional.empty();
        } catch (IOException stuck) {
            LOG.log(System.Logger.Level.WARNING, "an image cannot be set aside", stuck);
            return Optional.empty();
        }
    }

    private void evict() {
        List<Path> gone = new ArrayList<>();
        synchronized (this) {
            for (Map.Entry<UUID, Image> eldest : List.copyOf(images.entrySet())) {
                if (bytes <= capacity) {
                    break;
                }
                if (eldest.getValue().leases == 0) {
                    drop(eldest.getKey(), eldest.getValue()).ifPresent(gone::add);
                }
            }
        }
        gone.forEach(ImageCache::remove);
    }

    /** What cannot be removed now is removed at the next start. */
    private static void remove(Path gone) {
        try {
            Disk.deleteTree(gone);
        } catch (IOException stuck) {
            LOG.log(System.Logger.Level.WARNING, "an unused image cannot be removed", stuck);
        }
    }

    /** Whatever has a dotted name was being made or removed when the process ended. */
    private void takeStock() throws IOException {
        SortedMap<FileTime, List<UUID>> found = new TreeMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (name.startsWith(".")) {
                    Disk.deleteTree(entry);
                } else if (SNAPSHOT_ID.matcher(name).matches()) {
                    found.computeIfAbsent(Files.getLastModifiedTime(entry), at -> new ArrayList<>())
                            .add(UUID.fromString(name));
                }
            }
        }
        for (List<UUID> ofOneMoment : found.values()) {
            for (UUID snapshotId : ofOneMoment) {
                Image image = new Image();
                image.present = true;
                image.bytes = Image.bytesBelow(directory(snapshotId));
                bytes += image.bytes;
                images.put(snapshotId, image);
            }
        }
    }

    /** While it is open the directory stays where it is. Closing it twice is harmless. */
    public final class Lease implements AutoCloseable {

        private final UUID snapshotId;
        private final Image image;
        private final Path directory;
        private final AtomicBoolean closed = new AtomicBoolean();

        private Lease(UUID snapshotId, Image image, Path directory) {
            this.snapshotId = snapshotId;
            this.image = image;
            this.directory = directory;
        }

        public Path directory() {
            return directory;
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                unpin(snapshotId, image);
            }
        }
    }
}
