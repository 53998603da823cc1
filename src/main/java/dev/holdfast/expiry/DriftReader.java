package dev.holdfast.expiry;

import dev.holdfast.access.ProjectId;
import dev.holdfast.quota.Drift;
import dev.holdfast.quota.Drifts;
import jakarta.batch.api.BatchProperty;
import jakarta.batch.api.chunk.AbstractItemReader;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.UUID;

/**
 * The projects whose counters are not what their rows say, at the start of the step; a restart asks
 * anew.
 */
@Named
@Dependent
public class DriftReader extends AbstractItemReader {

    @Inject Drifts drifts;
    @Inject Findings findings;
    @Inject JobContext job;
    @Inject @BatchProperty int most;

    /** Only this one; empty: all. */
    @Inject @BatchProperty String project;

    private final Deque<Drift> left = new ArrayDeque<>();

    @Override
    public void open(Serializable checkpoint) {
        findings.begin(job.getJobName());
        left.addAll(
                drifts.found(
                        Optional.ofNullable(project)
                                .filter(text -> !text.isBlank())
                                .map(text -> new ProjectId(UUID.fromString(text.strip()))),
                        most));
    }

    @Override
    public Object readItem() {
        return left.poll();
    }
}
