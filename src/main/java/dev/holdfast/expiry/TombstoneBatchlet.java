package dev.holdfast.expiry;

import dev.holdfast.snapshot.Removals;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.time.Duration;

/** Forgets what was removed long ago. */
@Named
@Dependent
public class TombstoneBatchlet extends AbstractBatchlet {

    private static final Duration REMEMBERED = Duration.ofDays(30);

    @Inject Removals removals;

    @Override
    public String process() {
        removals.forget(REMEMBERED);
        return "COMPLETED";
    }
}
