package dev.holdfast.expiry;

import dev.holdfast.snapshot.Ending;
import dev.holdfast.snapshot.Removals;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.List;

/** Sends expired snapshots to their clean-up. */
@Named
@Dependent
public class ExpiredWriter extends EndingWriter {

    @Inject Removals removals;

    @Override
    int deal(List<Ending> chunk) {
        return removals.expire(chunk.stream().map(Ending::id).toList());
    }

    @Override
    String verb() {
        return "expire";
    }

    @Override
    String participle() {
        return "expired";
    }
}
