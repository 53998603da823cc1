package dev.holdfast.autosave;

import dev.holdfast.event.Event;
import dev.holdfast.snapshot.SnapshotState;
import dev.holdfast.snapshot.UploadId;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Lets surplus captures go as soon as the next one is saved. What is missed here the job {@code
 * clear-autosaves} does.
 */
@ApplicationScoped
class Clearing {

    private static final Logger LOG = Logger.getLogger(Clearing.class);
    private static final String CAPTURE = Event.capture("");

    @Inject Keeps keeps;

    void observe(@Observes Event event) {
        if (!event.subject().startsWith(CAPTURE)
                || !event.state().equals(SnapshotState.SAVED.name())) {
            return;
        }
        try {
            keeps.source(new UploadId(UUID.fromString(event.subject().substring(CAPTURE.length()))))
                    .ifPresent(keeps::clear);
        } catch (RuntimeException e) {
            LOG.debugf(e, "What %s makes too many goes later", event.subject());
        }
    }
}
