package dev.holdfast.expiry;

import dev.holdfast.build.Images;
import dev.holdfast.job.Finding;
import dev.holdfast.job.Findings;
import dev.holdfast.job.Orders;
import dev.holdfast.storage.Blob;
import jakarta.batch.api.chunk.AbstractItemWriter;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.time.Duration;
import java.util.List;

/** Removes builds and images that nobody needs. */
@Named
@Dependent
public class BlobWriter extends AbstractItemWriter {

    @Inject Findings findings;
    @Inject Images images;
    @Inject JobContext job;
    @Inject Orders orders;

    @Override
    public void writeItems(List<Object> items) {
        Duration grace = orders.current().duration("grace").orElseThrow();
        for (Object item : items) {
            remove((Blob) item, grace);
        }
    }

    private void remove(Blob blob, Duration grace) {
        images.remove(blob, grace)
                .ifPresent(
                        bytes ->
                                findings.add(
                                        job.getJobName(),
                                        new Finding(
                                                blob.key().value(),
                                                "removed",
                                                "nobody needs it",
                                                1,
                                                bytes)));
    }
}
