package dev.holdfast.envd;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Compresses pieces as they come; what is ready is given back at once and may be nothing. */
final class GzipWriter {

    private static final int BUFFER = 32 * 1024;

    private final ByteArrayOutputStream ready = new ByteArrayOutputStream();
    private final GZIPOutputStream gzip;

    GzipWriter() {
        try {
            gzip = new Quick(ready);
        } catch (IOException e) {
            throw new IllegalStateException("memory can be written", e);
        }
    }

    byte[] write(byte[] bytes) {
        try {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new IllegalStateException("memory can be written", e);
        }
        return take();
    }

    /** The rest; the native memory goes with it. */
    byte[] finish() {
        try {
            gzip.close();
        } catch (IOException e) {
            throw new IllegalStateException("memory can be written", e);
        }
        return take();
    }

    /** Whether a piece becomes so much smaller that compressing is worth its time. */
    static boolean helps(byte[] sample) {
        GzipWriter trial = new GzipWriter();
        int made = trial.write(sample).length + trial.finish().length;
        return made < sample.length * 0.8;
    }

    private byte[] take() {
        byte[] bytes = ready.toByteArray();
        ready.reset();
        return bytes;
    }

    /** Contents are to arrive soon rather than small. */
    private static final class Quick extends GZIPOutputStream {

        Quick(ByteArrayOutputStream to) throws IOException {
            super(to, BUFFER);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
