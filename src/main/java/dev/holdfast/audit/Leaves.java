package dev.holdfast.audit;

import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Reads a chain also where something in it cannot be read; never in a transaction. */
@Dependent
public class Leaves {
    private static final Logger LOG = Logger.getLogger(Leaves.class);

    @Inject Pages pages;

    /** One after the other where one of them cannot be read; that one is as good as gone. */
    List<Pages.Linked> page(UUID id, long after, int most) {
        try {
            return pages.read(id, after, most);
        } catch (RuntimeException unreadable) {
            LOG.debugf(unreadable, "Chain %s behind %d", id, after);
        }
        try {
            return pages.read(id, after, 1);
        } catch (RuntimeException unreadable) {
            LOG.warnf(unreadable, "Entry %d of chain %s cannot be read", after + 1, id);
            return pages.bare(id, after);
        }
    }
}
