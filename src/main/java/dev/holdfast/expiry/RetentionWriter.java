package dev.holdfast.expiry;

import dev.holdfast.snapshot.Ending;
import dev.holdfast.snapshot.Removals;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.List;

/** Sends to their clean-up what no policy keeps. */
@Named
@Dependent
public class RetentionWriter extends EndingWriter {

    @Inject Removals removals;

    @Override
    int deal(List<Ending> chunk) {
        return removals.retire(chunk);
    }

    @Override
    String verb() {
        return "let go";
    }

    @Override
    String participle() {
        return "let go";
    }
}
