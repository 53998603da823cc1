package dev.holdfast.expiry;

import dev.holdfast.snapshot.Ending;
import dev.holdfast.snapshot.Removals;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.List;

/** Sends to its clean-up what nobody has brought back. */
@Named
@Dependent
public class TrashWriter extends EndingWriter {

    @Inject Removals removals;

    @Override
    int deal(List<Ending> chunk) {
        return removals.discard(chunk.stream().map(Ending::id).toList());
    }

    @Override
    String verb() {
        return "purge";
    }

    @Override
    String participle() {
        return "purged";
    }
}
