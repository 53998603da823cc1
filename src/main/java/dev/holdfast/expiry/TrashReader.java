package dev.holdfast.expiry;

import dev.holdfast.snapshot.Ending;
import dev.holdfast.snapshot.Removals;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.time.Instant;
import java.util.List;

/** What has been in the trash for its time. */
@Named
@Dependent
public class TrashReader extends EndingReader {

    @Inject Removals removals;

    @Override
    List<Ending> read(Ending.Query query, Instant old) {
        return removals.trashDue(
                new Ending.Query(old, query.project(), query.after(), query.most()));
    }
}
