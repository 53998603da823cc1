package dev.holdfast.expiry;

import dev.holdfast.snapshot.Ending;
import dev.holdfast.snapshot.Removals;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.time.Instant;
import java.util.List;

/** The snapshots that are over and nobody occupies. */
@Named
@Dependent
public class ExpiredReader extends EndingReader {

    @Inject Removals removals;

    @Override
    List<Ending> read(Ending.Query query, Instant old) {
        return removals.expired(
                new Ending.Query(old, query.project(), query.after(), query.most()));
    }
}
