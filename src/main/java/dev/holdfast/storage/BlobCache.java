package dev.holdfast.storage;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Blobs in the store and their checked copies on this worker. A copy stays until it is forgotten:
 * templates are mounted and builds are running, so nothing here is evicted.
 */
public final class BlobCache {

    private final ObjectStore store;
    private final Parts parts;
    private final Path root;
    private final SingleFlight<Blob> flights = new SingleFlight<>();
    private final ConcurrentMap<Blob, Stamp> verified = new ConcurrentHashMap<>();

    public BlobCache(ObjectStore store, Parts parts, StorageConfig config) throws IOException {
        this.store = Objects.requireNonNull(store, "store");
        this.parts = Objects.requireNonNull(parts, "parts");
        this.root = config.cache().toAbsolutePath();
        for (Blob.Kind kind : Blob.Kind.values()) {
            Path directory = root.resolve(kind.directory());
            Disk.createDirectories(directory);
            removeHalfMade(directory);
        }
    }

    /** Puts a file into the store under its digest, once; repeating it costs one digest. */
    public Blob publish(Blob.Kind kind, Path file) throws IOException {
        Blob blob = new Blob(kind, Sha256.of(file));
        OptionalLong size = store.size(blob.key());
        if (size.isPresent() && size.getAsLong() == Files.size(file)) {
            return blob;
        }
        try (ObjectStore.Upload upload = store.begin(blob.key())) {
            Tally written = Tally.into(upload.body());
            Disk.copy(file, written);
            if (!written.digest().equals(blob.digest())) {
                throw new IOException("the file changed while it was published");
            }
            upload.commit();
        }
        return blob;
    }

    /**
     * A local file with exactly the blob's content: digested in full once in a process's life, and
     * again whenever the file no longer looks as it did then.
     *
     * @throws PartMissingException the store has no such blob and neither has this worker
     * @throws PartCorruptException the stored blob is not what its name says
     */
    public Path require(Blob blob) throws IOException {
        Path file = root.resolve(blob.key().value());
        flights.run(blob, () -> ensure(blob, file));
        return file;
    }

    /** The blobs of which this worker has a copy, checked or not. */
    public List<Blob> local() throws IOException {
        List<Blob> found = new ArrayList<>();
        for (Blob.Kind kind : Blob.Kind.values()) {
            try (DirectoryStream<Path> files =
                    Files.newDirectoryStream(root.resolve(kind.directory()))) {
                for (Path file : files) {
                    Blob.of(kind.directory() + "/" + file.getFileName()).ifPresent(found::add);
                }
            }
        }
        return found;
    }

    /** Drops the local copy; the stored one stays. */
    public void forget(Blob blob) throws IOException {
        Path file = root.resolve(blob.key().value());
        flights.run(
                blob,
                () -> {
                    verified.remove(blob);
                    Files.deleteIfExists(file);
                });
    }

    /** Drops the local copy and the stored blob; one that is not there is fine. */
    public void remove(Blob blob) throws IOException {
        forget(blob);
        store.delete(blob.key());
    }

    private void ensure(Blob blob, Path file) throws IOException {
        Optional<Stamp> present = Stamp.of(file);
        if (present.isPresent()) {
            if (present.get().equals(verified.get(blob))) {
                return;
            }
            if (Sha256.of(file).equals(blob.digest())) {
                verified.put(blob, present.get());
                return;
            }
        }
        fetch(blob, file);
    }

    private void fetch(Blob blob, Path file) throws IOException {
        long size = store.size(blob.key()).orElseThrow(() -> new PartMissingException(blob.key()));
        parts.fetch(
                new Part(
                        "blob",
                        blob.key(),
                        size,
                        blob.digest(),
                        size,
                        blob.digest(),
                        Part.Compression.NONE),
                file);
        Files.setPosixFilePermissions(file, blob.kind().mode());
        Stamp.of(file).ifPresent(stamp -> verified.put(blob, stamp));
    }

    private static void removeHalfMade(Path directory) throws IOException {
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(directory, ".*")) {
            for (Path leftover : leftovers) {
                Files.deleteIfExists(leftover);
            }
        }
    }
}
