package dev.holdfast.expiry;

import dev.holdfast.job.Finding;
import dev.holdfast.job.Findings;
import dev.holdfast.snapshot.Changes;
import dev.holdfast.snapshot.PartsState;
import dev.holdfast.snapshot.Scrubs;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.storage.Amendment;
import dev.holdfast.storage.Amendments;
import dev.holdfast.storage.Manifest;
import dev.holdfast.storage.ManifestException;
import dev.holdfast.storage.Manifests;
import dev.holdfast.storage.Part;
import dev.holdfast.storage.PartCorruptException;
import dev.holdfast.storage.PartMissingException;
import dev.holdfast.storage.Parts;
import jakarta.batch.api.chunk.AbstractItemWriter;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jboss.logging.Logger;

/** Reads all that a snapshot has in the store and writes down whether it is there and whole. */
@Named
@Dependent
public class ScrubWriter extends AbstractItemWriter {

    private static final Logger LOG = Logger.getLogger(ScrubWriter.class);

    @Inject Amendments amendments;
    @Inject Changes changes;
    @Inject Findings findings;
    @Inject JobContext job;
    @Inject Manifests manifests;
    @Inject Parts parts;
    @Inject Scrubs scrubs;

    @Override
    public void writeItems(List<Object> items) {
        for (Object item : items) {
            check((SnapshotId) item);
        }
    }

    /** A store that is out of reach says nothing of its parts, so what is known of them stays. */
    private void check(SnapshotId id) {
        try {
            read(id);
            if (scrubs.checked(id, PartsState.COMPLETE)) {
                report(id, "parts_complete_again", "all is there and whole");
            }
            amend(id);
        } catch (PartMissingException | PartCorruptException | ManifestException e) {
            PartsState state =
                    e instanceof PartMissingException ? PartsState.MISSING : PartsState.CORRUPT;
            LOG.warnf("Snapshot %s: %s", id, e.getMessage());
            if (scrubs.isSaved(id)) { // it may have been deleted while it was read
                scrubs.checked(id, state);
                report(id, "parts_" + state.name().toLowerCase(Locale.ROOT), e.getMessage());
            }
        } catch (IOException e) {
            LOG.warnf(e, "The parts of snapshot %s cannot be read now", id);
            scrubs.unread(id);
            report(id, "parts_unread", e.toString());
        }
    }

    /** The catalogue knows what it says, so it needs only be written anew. */
    private void amend(SnapshotId id) throws IOException {
        long whole = amendments.find(id.value()).whole().map(Amendment::number).orElse(0L);
        if (changes.lost(id, whole)) {
            report(id, "amendment_lost", "what was changed of it is written beside it anew");
        }
    }

    private void read(SnapshotId id) throws IOException {
        Manifest manifest =
                manifests
                        .find(id.value())
                        .orElseThrow(() -> new PartMissingException(Manifest.keyOf(id.value())));
        for (Part part : manifest.parts()) {
            parts.verify(part);
        }
    }

    private void report(SnapshotId id, String reason, String detail) {
        findings.add(job.getJobName(), Finding.of(id, reason, String.valueOf(detail)));
    }
}
