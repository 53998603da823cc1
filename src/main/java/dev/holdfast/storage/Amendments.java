package dev.holdfast.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Amendments in the store, beside the manifests. Each number is an object of its own, written once;
 * what it supersedes is removed after it. So replacing is atomic in every store, and a writer that
 * comes late with a lower number never takes the place of a higher one.
 */
public final class Amendments {

    private static final int MAX_BYTES = 1024 * 1024;

    private final ObjectStore store;

    public Amendments(ObjectStore store) {
        this.store = Objects.requireNonNull(store, "store");
    }

    /**
     * What the store has of a snapshot's amendments.
     *
     * @param amendment the highest that is whole; null: none
     * @param highest the highest number there is, whole or not; 0: none
     * @param torn why the highest cannot be taken at its word; null: it can, or there is none
     */
    public record Found(Amendment amendment, long highest, String torn) {

        public Optional<Amendment> whole() {
            return Optional.ofNullable(amendment);
        }

        public Optional<String> whyTorn() {
            return Optional.ofNullable(torn);
        }
    }

    /**
     * Writes an amendment and removes those that it supersedes. Where a higher one is already, it
     * is itself superseded. Repeating it is a no-op.
     *
     * @return the highest number that the store has
     * @throws ObjectConflictException that number says something else here
     * @throws PartMissingException there is no manifest that could be amended: the snapshot is
     *     gone, or this is another place than the one its objects are in
     */
    public long save(Amendment amendment) throws IOException {
        UUID id = amendment.snapshotId();
        byte[] bytes = AmendmentText.bytes(amendment);
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("the amendment is too large");
        }
        if (!store.exists(Manifest.keyOf(id))) {
            throw new PartMissingException(Manifest.keyOf(id));
        }
        store.put(amendment.key(), new ByteArrayInputStream(bytes));
        SortedMap<Long, ObjectKey> all = all(id);
        long highest = all.isEmpty() ? amendment.number() : all.firstKey();
        for (ObjectKey superseded : all.tailMap(highest - 1).values()) {
            store.delete(superseded);
        }
        return highest;
    }

    /**
     * The amendment that holds. One that is torn is passed over for the next lower one. While one
     * is being replaced, a listing may show neither: an import meets no writer, and a check has at
     * worst one written twice.
     */
    public Found find(UUID snapshotId) throws IOException {
        SortedMap<Long, ObjectKey> all = all(snapshotId);
        String torn = null;
        for (Map.Entry<Long, ObjectKey> each : all.entrySet()) {
            try {
                Optional<Amendment> found = read(snapshotId, each.getKey(), each.getValue());
                return found.isEmpty()
                        ? find(snapshotId) // superseded since the listing
                        : new Found(found.get(), all.firstKey(), torn);
            } catch (IllegalArgumentException unreadable) {
                torn = torn == null ? String.valueOf(unreadable.getMessage()) : torn;
            }
        }
        return new Found(null, all.isEmpty() ? 0 : all.firstKey(), torn);
    }

    /** Removes all amendments of a snapshot, for whoever wrote one too late. */
    public void remove(UUID snapshotId) throws IOException {
        for (ObjectKey key : all(snapshotId).values()) {
            store.delete(key);
        }
    }

    /** By number, the highest first. */
    private SortedMap<Long, ObjectKey> all(UUID snapshotId) throws IOException {
        SortedMap<Long, ObjectKey> all = new TreeMap<>(Comparator.reverseOrder());
        store.list(
                Amendment.prefix(snapshotId),
                object ->
                        Amendment.number(object.key())
                                .ifPresent(number -> all.put(number, object.key())));
        return all;
    }

    private Optional<Amendment> read(UUID snapshotId, long number, ObjectKey key)
            throws IOException {
        Optional<InputStream> object = store.open(key);
        if (object.isEmpty()) {
            return Optional.empty();
        }
        try (InputStream content = object.get()) {
            byte[] bytes = content.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IllegalArgumentException("it is too large");
            }
            Amendment amendment = AmendmentText.amendment(bytes);
            if (!amendment.snapshotId().equals(snapshotId) || amendment.number() != number) {
                throw new IllegalArgumentException("it is another snapshot's or another number's");
            }
            return Optional.of(amendment);
        }
    }
}
