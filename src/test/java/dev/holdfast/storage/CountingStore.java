package dev.holdfast.storage;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A real store that counts what is opened, and can hold readers up. */
final class CountingStore extends ForwardingStore {

    final AtomicInteger opened = new AtomicInteger();
    volatile CountDownLatch gate = new CountDownLatch(0);

    CountingStore(ObjectStore store) {
        super(store);
    }

    @Override
    public Optional<InputStream> open(ObjectKey key) throws IOException {
        opened.incrementAndGet();
        return super.open(key).map(Gated::new);
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
