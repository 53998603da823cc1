package dev.holdfast.build;

import dev.holdfast.event.Event;
import dev.holdfast.event.Events;
import dev.holdfast.fleet.Publications;
import dev.holdfast.storage.Blob;
import dev.holdfast.storage.BlobCache;
import dev.holdfast.storage.Sha256;
import dev.holdfast.template.Templates;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** The stored images of templates. */
@Stateless
public class Images {

    @Inject BlobCache blobs;
    @Inject Events events;
    @Inject Publications publications;
    @Inject Templates templates;

    /**
     * Removes an image and this node's copy of it if nothing needs it. One that cannot be removed
     * is asked for again.
     *
     * @return whether it was removed
     */
    public boolean removeUnneeded(String digest) {
        if (!templates.releaseImage(digest)) {
            return false;
        }
        Blob image = new Blob(Blob.Kind.TEMPLATE, new Sha256(digest));
        publications.withdraw(Publications.Kind.TEMPLATE, digest, Duration.ZERO);
        events.publish(new Event("blob:" + image.key(), "REMOVED")); // other nodes have copies
        try {
            blobs.remove(image);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
