package dev.holdfast.expiry;

import dev.holdfast.event.Event;
import dev.holdfast.event.Events;
import dev.holdfast.fleet.Publications;
import dev.holdfast.storage.Blob;
import dev.holdfast.storage.ObjectStore;
import jakarta.batch.api.BatchProperty;
import jakarta.batch.api.chunk.AbstractItemWriter;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Removes builds and images that nobody needs. The row goes first and the object in the same
 * transaction, so that whoever publishes the same meanwhile waits and then stores it anew.
 */
@Named
@Dependent
public class BlobWriter extends AbstractItemWriter {

    @Inject Events events;
    @Inject Findings findings;
    @Inject JobContext job;
    @Inject ObjectStore store;
    @Inject Publications publications;
    @Inject @BatchProperty String grace;

    @Override
    public void writeItems(List<Object> items) throws IOException {
        for (Object item : items) {
            remove((Blob) item);
        }
    }

    private void remove(Blob blob) throws IOException {
        Publications.Kind kind = Publications.Kind.valueOf(blob.kind().name());
        String digest = blob.digest().hex();
        publications.found(kind, digest);
        if (publications.withdraw(kind, digest, Duration.parse(grace))) {
            long bytes = store.size(blob.key()).orElse(0);
            store.delete(blob.key());
            events.publish(new Event("blob:" + blob.key(), "REMOVED"));
            findings.add(
                    job.getJobName(),
                    new Finding(blob.key().value(), "removed", "nobody needs it", 1, bytes));
        }
    }
}
