package dev.holdfast.api;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Knows whether its reader still reads. */
final class WatchedOutput extends FilterOutputStream {

    private static final long NONE = -1;

    private final Duration stall;
    private final Duration longest;
    private final LongSupplier ticks;
    private final long began;

    /** When the write that is under way began. */
    private volatile long writing = NONE;

    WatchedOutput(OutputStream out, Duration stall, Duration longest) {
        this(out, stall, longest, System::nanoTime);
    }

    WatchedOutput(OutputStream out, Duration stall, Duration longest, LongSupplier ticks) {
        super(out);
        this.stall = stall;
        this.longest = longest;
        this.ticks = ticks;
        this.began = ticks.getAsLong();
    }

    /** Why its reader is not waited for any longer; empty while it is. */
    Optional<String> leftBy() {
        long now = ticks.getAsLong();
        long since = writing;
        if (now - began > longest.toNanos()) {
            return Optional.of("it took longer than " + longest);
        }
        return since != NONE && now - since > stall.toNanos()
                ? Optional.of("nothing of it was read for " + stall)
                : Optional.empty();
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        writing = ticks.getAsLong();
        try {
            out.write(bytes, from, length);
        } finally {
            writing = NONE;
        }
    }

    @Override
    public void flush() throws IOException {
        writing = ticks.getAsLong();
        try {
            out.flush();
        } finally {
            writing = NONE;
        }
    }
}
