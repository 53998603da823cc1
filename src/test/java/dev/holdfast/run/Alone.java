package dev.holdfast.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * What one process of the tests at a time may do, on this host or in this directory. The kernel
 * lets the next one in however this one ends.
 */
public final class Alone implements AutoCloseable {

    /** A class that has it has it for a minute; whoever waits so long waits for nothing. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final FileChannel file;

    private Alone(FileChannel file) {
        this.file = file;
    }

    /** Returns when nobody else has it. */
    public static Alone with(Path lock) {
        try {
            Files.createDirectories(lock.toAbsolutePath().getParent());
            var file = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                await(file, lock);
            } catch (IOException | RuntimeException e) {
                file.close();
                throw e;
            }
            return new Alone(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(FileChannel file, Path lock) throws IOException {
        var end = System.nanoTime() + PATIENCE.toNanos();
        while (file.tryLock() == null) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(lock + " was not free within " + PATIENCE);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for others", e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
