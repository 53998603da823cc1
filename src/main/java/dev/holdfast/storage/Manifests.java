package dev.holdfast.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Manifests in the store. A manifest is a snapshot's commit mark there, so it is written last. */
public final class Manifests {

    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private final ObjectStore store;

    public Manifests(ObjectStore store) {
        this.store = Objects.requireNonNull(store, "store");
    }

    /**
     * Writes a manifest whose parts are all there with their stored lengths; refuses otherwise, so
     * that no manifest promises what the store does not hold. Repeating it is a no-op.
     */
    public void save(Manifest manifest) throws IOException {
        for (Part part : manifest.parts()) {
            OptionalLong size = store.size(part.key());
            if (size.isEmpty()) {
                throw new PartMissingException(part.key());
            }
            if (size.getAsLong() != part.storedLength()) {
                throw new PartCorruptException(part.key(), "stored length differs");
            }
        }
        store.put(manifest.key(), new ByteArrayInputStream(ManifestWriter.bytes(manifest)));
    }

    public Optional<Manifest> find(UUID snapshotId) throws IOException {
        Optional<InputStream> object = store.open(Manifest.keyOf(snapshotId));
        if (object.isEmpty()) {
            return Optional.empty();
        }
        try (InputStream content = object.get()) {
            byte[] bytes = content.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new ManifestException("the manifest is too large");
            }
            Manifest manifest = ManifestReader.manifest(bytes);
            if (!manifest.identity().snapshotId().equals(snapshotId)) {
                throw new ManifestException("the manifest is another snapshot's");
            }
            return Optional.of(manifest);
        }
    }

    /**
     * Removes all that a snapshot has in the store, listed in a manifest or not: the manifest
     * first, so that a crash in between leaves parts without promise and never a promise without
     * parts. What is gone already counts as removed; repeating it is a no-op. One object that
     * cannot be removed does not keep the others.
     */
    public void remove(UUID snapshotId) throws IOException {
        store.delete(Manifest.keyOf(snapshotId));
        List<ObjectKey> rest = new ArrayList<>();
        store.list(ObjectKey.snapshotPrefix(snapshotId), object -> rest.add(object.key()));
        IOException failures = null;
        for (ObjectKey key : rest) {
            try {
                store.delete(key);
            } catch (IOException failure) {
                failures = failures == null ? new IOException("not all was removed") : failures;
                failures.addSuppressed(failure);
            }
        }
        if (failures != null) {
            throw failures;
        }
    }
}
