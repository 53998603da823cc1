package dev.holdfast.expiry;

import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.storage.Manifest;
import dev.holdfast.storage.ObjectStore;
import dev.holdfast.storage.StoredObject;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the store has of each snapshot, whatever the catalogue says. */
@Dependent
class Inventory {

    private static final String SNAPSHOTS = "snapshots/";

    @Inject ObjectStore store;

    /**
     * The objects of one snapshot.
     *
     * @param newest when the last of them was stored
     */
    record Stored(long objects, long bytes, Instant oldest, Instant newest, boolean hasManifest) {

        private Stored and(Stored other) {
            return new Stored(
                    objects + other.objects,
                    bytes + other.bytes,
                    oldest.isBefore(other.oldest) ? oldest : other.oldest,
                    newest.isAfter(other.newest) ? newest : other.newest,
                    hasManifest || other.hasManifest);
        }
    }

    /** Nothing of any snapshot. A place that is not mounted looks like this, and judges none. */
    boolean isEmpty() throws IOException {
        return !store.any(SNAPSHOTS, object -> owner(object).isPresent());
    }

    /** By ID, in the order of their texts. What is no snapshot's is left out. */
    SortedMap<SnapshotId, Stored> snapshots() throws IOException {
        SortedMap<SnapshotId, Stored> found =
                new TreeMap<>(Comparator.comparing(SnapshotId::toString));
        store.list(
                SNAPSHOTS,
                object ->
                        owner(object)
                                .ifPresent(id -> found.merge(id, stored(id, object), Stored::and)));
        return found;
    }

    private static Optional<SnapshotId> owner(StoredObject object) {
        String rest = object.key().value().substring(SNAPSHOTS.length());
        return SnapshotId.parse(rest.substring(0, Math.max(0, rest.indexOf('/'))));
    }

    private static Stored stored(SnapshotId id, StoredObject object) {
        return new Stored(
                1,
                object.size(),
                object.modifiedAt(),
                object.modifiedAt(),
                object.key().equals(Manifest.keyOf(id.value())));
    }
}
