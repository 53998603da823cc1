package dev.holdfast.expiry;

import dev.holdfast.autosave.Keeps;
import dev.holdfast.sandbox.SandboxId;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Lets automatic captures go that are too many, where that failed or was missed when the last one
 * was saved; each sandbox in a transaction of its own.
 */
@Named
@Dependent
public class AutosaveBatchlet extends HeedfulBatchlet {

    private static final Logger LOG = Logger.getLogger(AutosaveBatchlet.class);
    private static final int MOST = 1000;

    @Inject Keeps keeps;

    @Override
    public String process() {
        List<SandboxId> crowded = keeps.crowded(MOST);
        crowded.stream().takeWhile(each -> !isStopped()).forEach(this::clear);
        return "COMPLETED";
    }

    private void clear(SandboxId id) {
        try {
            keeps.clear(id);
        } catch (RuntimeException e) {
            LOG.warnf(e, "The captures of sandbox %s that are too many go later", id);
        }
    }
}
