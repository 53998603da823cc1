package dev.holdfast.storage;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A real store, of which a test makes one thing different. */
public abstract class ForwardingStore implements ObjectStore {

    private final ObjectStore store;

    protected ForwardingStore(ObjectStore store) {
        this.store = store;
    }

    @Override
    public Optional<InputStream> open(ObjectKey key) throws IOException {
        return store.open(key);
    }

    @Override
    public Upload begin(ObjectKey key) throws IOException {
        return store.begin(key);
    }

    @Override
    public OptionalLong size(ObjectKey key) throws IOException {
        return store.size(key);
    }

    @Override
    public boolean delete(ObjectKey key) throws IOException {
        return store.delete(key);
    }

    @Override
    public void list(String prefix, Consumer<StoredObject> each) throws IOException {
        store.list(prefix, each);
    }

    @Override
    public boolean any(String prefix, Predicate<StoredObject> wanted) throws IOException {
        return store.any(prefix, wanted);
    }

    @Override
    public int removeLeftovers(Duration grace) throws IOException {
        return store.removeLeftovers(grace);
    }
}
