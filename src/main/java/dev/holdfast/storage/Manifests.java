package dev.holdfast.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
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
}
