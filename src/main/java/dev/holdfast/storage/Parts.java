package dev.holdfast.storage;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import dev.holdfast.storage.Part.Compression;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.UUID;

/**
 * Turns files into parts and parts into files. Memory is flat whatever the size; nothing is read
 * twice; and no file has its name before every byte of it was checked.
 */
public final class Parts {

    /** Decoding may not ask for more memory than this (2^n bytes), whatever a stored frame says. */
    private static final int WINDOW_LOG_MAX = 23;

    private static final int SAMPLE = 32 * 1024;
    private static final int SAMPLES = 16;

    /** Below this share of saved bytes, decompressing costs a restore more than reading does. */
    private static final double WORTHWHILE = 0.9;

    /** Smaller files are done before threads would have started. */
    private static final long THREADED = 4L * 1024 * 1024;

    /** Is told of what a seal reads; what it throws breaks the seal off. */
    @FunctionalInterface
    public interface Meter {
        void read(int bytes) throws IOException;
    }

    private final ObjectStore store;
    private final int level;
    private final int threads;

    public Parts(ObjectStore store, StorageConfig config) {
        this.store = Objects.requireNonNull(store, "store");
        this.level = config.zstdLevel();
        this.threads = config.zstdThreads();
    }

    /**
     * Digests, compresses and stores a file in one pass. The caller owns the file: it must not
     * change meanwhile. Repeating a seal of the same file is a no-op that gives the same part.
     */
    public Part seal(String name, Path raw, ObjectKey key) throws IOException {
        return seal(name, raw, key, bytes -> {});
    }

    /** The same, telling how far it has come. */
    public Part seal(String name, Path raw, ObjectKey key, Meter meter) throws IOException {
        try (FileChannel source = FileChannel.open(raw, StandardOpenOption.READ);
                ObjectStore.Upload upload = store.begin(key)) {
            Part part =
                    paysToCompress(source)
                            ? compress(name, source, key, upload.body(), meter)
                            : keep(name, source, key, upload.body(), meter);
            upload.commit();
            return part;
        }
    }

    /**
     * Writes a part's raw bytes to a file that does not exist yet, or replaces one that does. The
     * file has its name only after stored and raw lengths and digests were found right.
     *
     * <p>The file is not forced to the disk: what was fetched can be fetched again.
     */
    public void fetch(Part part, Path target) throws IOException {
        Path temporary =
                target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID());
        try {
            try (FileChannel channel = Disk.create(temporary)) {
                read(part, Channels.newOutputStream(channel));
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Reads and checks a part as {@link #fetch} does, and keeps nothing. */
    public void verify(Part part) throws IOException {
        read(part, OutputStream.nullOutputStream());
    }

    private Part keep(
            String name, FileChannel source, ObjectKey key, OutputStream body, Meter meter)
            throws IOException {
        Tally stored = Tally.into(body);
        Disk.copy(new Metered(source, meter), stored);
        Sha256 digest = stored.digest();
        return new Part(
                name, key, stored.length(), digest, stored.length(), digest, Compression.NONE);
    }

    private Part compress(
            String name, FileChannel source, ObjectKey key, OutputStream body, Meter meter)
            throws IOException {
        Tally stored = Tally.into(body);
        Tally raw;
        try (ZstdOutputStreamNoFinalizer zstd = new ZstdOutputStreamNoFinalizer(stored, level)) {
            if (source.size() >= THREADED) {
                zstd.setWorkers(threads);
            }
            raw = Tally.into(zstd);
            Disk.copy(new Metered(source, meter), raw);
        }
        return new Part(
                name,
                key,
                raw.length(),
                raw.digest(),
                stored.length(),
                stored.digest(),
                Compression.ZSTD);
    }

    /** Looks at evenly spread samples: memory images mix text, zeroes and noise in long runs. */
    private boolean paysToCompress(FileChannel source) throws IOException {
        long size = source.size();
        if (size == 0) {
            return false;
        }
        ByteBuffer sample = ByteBuffer.allocate(SAMPLE);
        long step = Math.max(SAMPLE, size / SAMPLES);
        long seen = 0;
        long kept = 0;
        for (long position = 0; position < size; position += step) {
            sample.clear();
            while (sample.hasRemaining() && source.read(sample, position + sample.position()) > 0) {
                // until the sample is full or the file ends
            }
            byte[] bytes = new byte[sample.flip().remaining()];
            sample.get(bytes);
            seen += bytes.length;
            kept += Math.min(bytes.length, Zstd.compress(bytes, 1).length);
        }
        return kept < seen * WORTHWHILE;
    }

    private void read(Part part, OutputStream target) throws IOException {
        Tally raw = Tally.into(target, part.rawLength());
        try (InputStream object =
                store.open(part.key()).orElseThrow(() -> new PartMissingException(part.key()))) {
            MeteredInput stored = new MeteredInput(object, part.storedLength());
            decode(part, stored, raw);
            stored.drain();
            expect(part, stored.length() == part.storedLength(), "stored length differs");
            expect(part, stored.digest().equals(part.storedDigest()), "stored digest differs");
        } catch (ZstdIOException undecodable) {
            throw new PartCorruptException(part.key(), "stored bytes do not decode", undecodable);
        } catch (Tally.OverflowException overlong) {
            throw new PartCorruptException(part.key(), "more bytes than the part has", overlong);
        }
        expect(part, raw.length() == part.rawLength(), "raw length differs");
        expect(part, raw.digest().equals(part.rawDigest()), "raw digest differs");
    }

    private static void decode(Part part, InputStream stored, OutputStream raw) throws IOException {
        if (part.compression() == Compression.NONE) {
            Disk.copy(stored, raw);
            return;
        }
        try (ZstdInputStreamNoFinalizer zstd = new ZstdInputStreamNoFinalizer(stored)) {
            zstd.setLongMax(WINDOW_LOG_MAX);
            Disk.copy(zstd, raw);
        }
    }

    private static final class Metered extends FilterInputStream {

        private final Meter meter;

        Metered(FileChannel source, Meter meter) {
            super(Channels.newInputStream(source));
            this.meter = meter;
        }

        @Override
        public int read(byte[] bytes, int offset, int count) throws IOException {
            int got = super.read(bytes, offset, count);
            if (got > 0) {
                meter.read(got);
            }
            return got;
        }
    }

    private static void expect(Part part, boolean holds, String otherwise)
            throws PartCorruptException {
        if (!holds) {
            throw new PartCorruptException(part.key(), otherwise);
        }
    }
}
