package dev.holdfast.storage;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A real store that counts what is opened, and can hold readers up. */
final class CountingStore implements ObjectStore {

    final AtomicInteger opened = new AtomicInteger();
    volatile CountDownLatch gate = new CountDownLatch(0);

    private final ObjectStore store;

    CountingStore(ObjectStore store) {
        this.store = store;
    }

    @Override
    public Optional<InputStream> open(ObjectKey key) throws IOException {
        opened.incrementAndGet();
        return store.open(key).map(Gated::new);
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

    private final class Gated extends FilterInputStream {
        Gated(InputStream content) {
            super(content);
        }

        @Override
        public int read(byte[] bytes, int offset, int count) throws IOException {
            try {
                gate.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
            return super.read(bytes, offset, count);
        }
    }
}
