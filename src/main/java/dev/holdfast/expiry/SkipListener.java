package dev.holdfast.expiry;

import dev.holdfast.job.Finding;
import dev.holdfast.job.Findings;
import dev.holdfast.snapshot.Ending;
import jakarta.batch.api.chunk.listener.SkipWriteListener;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.List;

/** Writes down which items a run left and why. */
@Named
@Dependent
public class SkipListener implements SkipWriteListener {

    @Inject Findings findings;
    @Inject JobContext job;

    @Override
    public void onSkipWriteItem(List<Object> items, Exception why) {
        for (Object item : items) {
            findings.add(
                    job.getJobName(),
                    Finding.of(
                            ((Ending) item).id(),
                            "left_for_the_next_run",
                            String.valueOf(why.getMessage())));
        }
    }
}
