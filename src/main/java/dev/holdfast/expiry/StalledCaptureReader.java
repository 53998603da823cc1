package dev.holdfast.expiry;

import dev.holdfast.snapshot.Failure;
import dev.holdfast.snapshot.Snapshots;
import jakarta.batch.api.chunk.AbstractItemReader;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The captures past their deadline, or of an unreachable worker, at the start of the step; a
 * restart asks anew.
 */
@Named
@Dependent
public class StalledCaptureReader extends AbstractItemReader {

    @Inject Snapshots snapshots;

    private final Deque<Stalled> left = new ArrayDeque<>();

    @Override
    public void open(Serializable checkpoint) {
        snapshots.stalled().stream()
                .map(upload -> new Stalled(upload, Failure.PAST_DEADLINE))
                .forEach(left::add);
        snapshots.abandoned().stream()
                .map(upload -> new Stalled(upload, Failure.of("its worker cannot be reached")))
                .forEach(left::add);
    }

    @Override
    public Object readItem() {
        return left.poll();
    }
}
