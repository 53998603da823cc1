package dev.holdfast.expiry;

import dev.holdfast.capture.ManifestOf;
import dev.holdfast.job.Finding;
import dev.holdfast.job.Findings;
import dev.holdfast.snapshot.Amended;
import dev.holdfast.snapshot.Imported;
import dev.holdfast.snapshot.Imports;
import dev.holdfast.snapshot.PartsState;
import dev.holdfast.snapshot.Recovered;
import dev.holdfast.snapshot.Scrubs;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.storage.Amendments;
import dev.holdfast.storage.Manifest;
import dev.holdfast.storage.Manifests;
import dev.holdfast.storage.ObjectStore;
import dev.holdfast.storage.Part;
import jakarta.batch.api.chunk.AbstractItemWriter;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Makes the rows of snapshots that the catalogue does not know, from their manifests and what was
 * amended; brings those that it knows up to what was amended since.
 */
@Named
@Dependent
public class ImportWriter extends AbstractItemWriter {

    @Inject Amendments amendments;
    @Inject Findings findings;
    @Inject Imports imports;
    @Inject JobContext job;
    @Inject Manifests manifests;
    @Inject ObjectStore store;
    @Inject Scrubs scrubs;

    @Override
    public void writeItems(List<Object> items) {
        for (Object item : items) {
            SnapshotId id = (SnapshotId) item;
            if (imports.isUnknown(id)) {
                bring(id);
            } else {
                amend(id);
            }
        }
    }

    /** A row that has seen fewer changes than the store: of an older copy of the catalogue. */
    private void amend(SnapshotId id) {
        Amended amended;
        try {
            amended = amended(id, amendments.find(id.value()));
        } catch (IOException e) {
            report(id, "amendment_unread", "what was changed of it cannot be read now: " + e);
            return;
        }
        if (imports.amend(id, amended)) {
            report(id, "amended", "it was changed later than this copy of the catalogue knew");
        }
    }

    /** What cannot be read says nothing. */
    private Amended amended(SnapshotId id, Amendments.Found found) {
        if (found.whole().isEmpty()) {
            return Amended.unknown(found.highest());
        }
        try {
            return new Amended(
                    found.highest(), found.whole().get().facts(), found.whyTorn().isEmpty());
        } catch (IllegalArgumentException refused) {
            reportLost(id, refused.getMessage());
            return Amended.unknown(found.highest());
        }
    }

    private void reportLost(SnapshotId id, String why) {
        report(id, "amendment_unreadable", "what was changed last is lost: " + why);
    }

    private void bring(SnapshotId id) {
        Optional<Manifest> manifest;
        Amended amended;
        Recovered row;
        try {
            manifest = manifests.find(id.value());
            if (manifest.isEmpty()) {
                return; // removed since the listing
            }
            long length = store.size(manifest.get().key()).orElse(0);
            row = ManifestOf.row(manifest.get(), length);
            Amendments.Found found = amendments.find(id.value());
            found.whyTorn().ifPresent(why -> reportLost(id, why));
            amended = amended(id, found);
        } catch (IOException | RuntimeException e) {
            report(id, "manifest_unreadable", String.valueOf(e.getMessage()));
            return;
        }
        Imported imported = imports.bring(row, amended);
        switch (imported.outcome()) {
            case KNOWN -> {}
            case WITHOUT_SANDBOX ->
                    report(
                            id,
                            "pause_without_sandbox",
                            "the state of sandbox "
                                    + row.source().sandbox()
                                    + ", which does not exist any more; it stays in the store");
            case IMPORTED -> {
                report(row, imported);
                checkParts(manifest.get(), id);
            }
        }
    }

    /** It has its row now, whatever the store says of its parts. */
    private void checkParts(Manifest manifest, SnapshotId id) {
        try {
            if (!partsAreThere(manifest)) {
                scrubs.checked(id, PartsState.MISSING);
                report(id, "parts_missing", "its manifest names parts the store lacks");
            }
        } catch (IOException e) {
            report(id, "parts_unread", "whether its parts are there is not known: " + e);
        }
    }

    private void report(Recovered row, Imported imported) {
        if (imported.projectMade()) {
            report(
                    row.project(),
                    "project_created",
                    "it has no slug, the plan's limits and no keys; snapshots name it");
        }
        if (imported.templateMade()) {
            report(row.source().template(), "template_lost", "it counts as deleted");
        }
        imported.renamed()
                .ifPresent(
                        older ->
                                report(
                                        older,
                                        "name_lost",
                                        row.name().orElseThrow() + " went to newer " + row.id()));
        if (imported.overdue()) {
            report(
                    row.id(),
                    "expired_in_manifest",
                    "nothing says whether its expiry was moved since, so it is kept for a week");
        }
        if (imported.nameless()) {
            report(
                    row.id(),
                    "name_lost",
                    row.name().orElseThrow() + " belongs to a newer one, or it has expired");
        }
    }

    private boolean partsAreThere(Manifest manifest) throws IOException {
        for (Part part : manifest.parts()) {
            OptionalLong size = store.size(part.key());
            if (size.isEmpty() || size.getAsLong() != part.storedLength()) {
                return false;
            }
        }
        return true;
    }

    private void report(Object subject, String reason, String detail) {
        findings.add(job.getJobName(), Finding.of(subject, reason, detail));
    }
}
