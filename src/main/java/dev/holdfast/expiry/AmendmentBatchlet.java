package dev.holdfast.expiry;

import jakarta.batch.api.AbstractBatchlet;
import jakarta.batch.api.BatchProperty;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;

/** Writes the amendments that were not written at once; what a crash came before, for one. */
@Named
@Dependent
public class AmendmentBatchlet extends AbstractBatchlet {

    @Inject Amender amender;
    @Inject @BatchProperty int most;

    @Override
    public String process() {
        amender.follow(most);
        return "COMPLETED";
    }
}
