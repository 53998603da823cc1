package dev.holdfast.storage;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/** Offers this room for injection; which store it is gets decided here and nowhere else. */
@ApplicationScoped
class Storage {

    @Produces
    @Singleton
    StorageConfig config(Config config) {
        return StorageConfig.of(config);
    }

    @Produces
    @Singleton
    ObjectStore store(StorageConfig config, Config settings, Clock clock) throws IOException {
        Optional<S3Config> bucket = S3Config.of(settings);
        return bucket.isPresent()
                ? new S3Store(bucket.get(), clock)
                : new DirectoryStore(config.root(), clock);
    }

    void end(@Disposes ObjectStore store) throws IOException {
        if (store instanceof Closeable open) {
            open.close();
        }
    }

    @Produces
    @Singleton
    Parts parts(ObjectStore store, StorageConfig config) {
        return new Parts(store, config);
    }

    @Produces
    @Singleton
    Manifests manifests(ObjectStore store) {
        return new Manifests(store);
    }

    @Produces
    @Singleton
    Amendments amendments(ObjectStore store) {
        return new Amendments(store);
    }

    @Produces
    @Singleton
    ImageCache images(Parts parts, StorageConfig config) throws IOException {
        return new ImageCache(parts, config);
    }

    @Produces
    @Singleton
    BlobCache blobs(ObjectStore store, Parts parts, StorageConfig config) throws IOException {
        return new BlobCache(store, parts, config);
    }
}
