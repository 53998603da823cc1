package dev.holdfast.build;

import dev.holdfast.event.Event;
import dev.holdfast.event.Events;
import dev.holdfast.fleet.Publications;
import dev.holdfast.storage.Blob;
import dev.holdfast.storage.BlobCache;
import dev.holdfast.storage.ObjectStore;
import dev.holdfast.storage.Sha256;
import dev.holdfast.template.Templates;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.OptionalLong;

/** The stored images of templates, and the runtime builds beside them. */
@Stateless
public class Images {

    @Inject BlobCache blobs;
    @Inject Events events;
    @Inject ObjectStore store;
    @Inject Publications publications;
    @Inject Templates templates;

    /**
     * Removes what was published longer ago than the grace time and nobody needs, and this node's
     * copy of it. The row goes first and the object in the same transaction, so that whoever
     * publishes the same meanwhile waits and then stores it anew. What cannot be removed is asked
     * for again.
     *
     * @return its size if it was removed
     */
    public OptionalLong remove(Blob blob, Duration grace) {
        Publications.Kind kind = Publications.Kind.valueOf(blob.kind().name());
        String digest = blob.digest().hex();
        publications.found(kind, digest);
        if (!publications.withdraw(kind, digest, grace)) {
            return OptionalLong.empty();
        }
        if (blob.kind() == Blob.Kind.TEMPLATE) {
            templates.imageRemoved(digest);
        }
        events.publish(new Event("blob:" + blob.key(), "REMOVED")); // other nodes have copies
        try {
            long bytes = store.size(blob.key()).orElse(0);
            blobs.remove(blob);
            return OptionalLong.of(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same at once, for the image of a template that is gone or was never ready. */
    public boolean removeUnneeded(String digest) {
        return remove(new Blob(Blob.Kind.TEMPLATE, new Sha256(digest)), Duration.ZERO).isPresent();
    }
}
