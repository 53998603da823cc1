package dev.holdfast.expiry;

import dev.holdfast.snapshot.Ending;
import dev.holdfast.snapshot.Removals;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.time.Instant;
import java.util.List;

/** The snapshots whose objects are due to go; what is put off meanwhile is not due any more. */
@Named
@Dependent
public class CleanupReader extends EndingReader {

    @Inject Removals removals;

    @Override
    List<Ending> read(Ending.Query query, Instant old) {
        return removals.cleanupsDue(query, old);
    }
}
