package dev.holdfast.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

/** Content and settings for this room's tests. */
final class Samples {

    private Samples() {}

    static StorageConfig config(Path home, long cacheBytes) {
        return new StorageConfig(
                home.resolve("store"), home.resolve("worker"), cacheBytes, 1, 2, Duration.ofHours(1));
    }

    /** Lines that compress to about a sixth. */
    static byte[] text(int length) {
        Random random = new Random(length);
        StringBuilder text = new StringBuilder(length + 64);
        while (text.length() < length) {
            text.append("{\"id\":").append(random.nextInt(100_000)).append(",\"ok\":true}\n");
        }
        return Arrays.copyOf(text.toString().getBytes(UTF_8), length);
    }

    static byte[] noise(int length) {
        byte[] noise = new byte[length];
        new Random(length).nextBytes(noise);
        return noise;
    }

    /** A frame of the noise of that length whose decoding wants a window of 2^25 bytes. */
    static byte[] wideWindow(int length) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        try (ZstdOutputStreamNoFinalizer zstd = new ZstdOutputStreamNoFinalizer(frame, 1)) {
            zstd.setWindowLog(25);
            zstd.write(noise(length));
        }
        return frame.toByteArray();
    }
}
