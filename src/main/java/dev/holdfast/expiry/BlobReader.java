package dev.holdfast.expiry;

import dev.holdfast.job.Finding;
import dev.holdfast.job.Findings;
import dev.holdfast.snapshot.Imports;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.storage.Blob;
import dev.holdfast.storage.Manifest;
import dev.holdfast.storage.Manifests;
import dev.holdfast.storage.ObjectStore;
import dev.holdfast.storage.Sha256;
import jakarta.batch.api.chunk.AbstractItemReader;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The builds and images in the store that no lost snapshot needs: one that is stored and of which
 * this catalogue knows nothing may be imported yet. Whether one that is known needs them is asked
 * when they are removed. A manifest that cannot be read might need any, so then there are none.
 */
@Named
@Dependent
public class BlobReader extends AbstractItemReader {

    @Inject Findings findings;
    @Inject Imports imports;
    @Inject Inventory inventory;
    @Inject JobContext job;
    @Inject Manifests manifests;
    @Inject ObjectStore store;

    private final Deque<Blob> left = new ArrayDeque<>();

    @Override
    public void open(Serializable checkpoint) throws IOException {
        findings.begin(job.getJobName());
        Set<Sha256> kept = new HashSet<>();
        for (SnapshotId id : inventory.snapshots().keySet()) {
            if (imports.isUnknown(id) && !keep(id, kept)) {
                return;
            }
        }
        for (Blob.Kind kind : List.of(Blob.Kind.values())) {
            store.list(
                    kind.directory() + "/",
                    object ->
                            Blob.of(object.key().value())
                                    .filter(blob -> !kept.contains(blob.digest()))
                                    .ifPresent(left::add));
        }
    }

    private boolean keep(SnapshotId id, Set<Sha256> kept) {
        try {
            Optional<Manifest> manifest = manifests.find(id.value());
            manifest.ifPresent(
                    found -> {
                        kept.add(found.fingerprint().runtimeDigest());
                        kept.add(found.fingerprint().templateDigest());
                    });
            return true;
        } catch (IOException e) {
            findings.add(
                    job.getJobName(),
                    Finding.of(
                            id,
                            "manifest_unreadable",
                            "nobody knows what it needs, so nothing is removed: " + e));
            return false;
        }
    }

    @Override
    public Object readItem() {
        return left.poll();
    }
}
