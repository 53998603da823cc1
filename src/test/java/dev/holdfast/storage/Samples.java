package dev.holdfast.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import jakarta.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** Content and settings for this room's tests. */
final class Samples {

    private Samples() {}

    static StorageConfig config(Path home, long cacheBytes) {
        return new StorageConfig(
                home.resolve("store"),
                home.resolve("worker"),
                cacheBytes,
                1,
                2,
                Duration.ofHours(1));
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

    /** A checkpoint's three files, sealed as that snapshot's parts. */
    static List<Part> checkpoint(Parts parts, UUID snapshotId, Path directory, int bytes)
            throws IOException {
        Files.createDirectories(directory);
        Files.write(directory.resolve("checkpoint.img"), text(1000));
        Files.write(directory.resolve("pages.img"), text(bytes - 1005));
        Files.write(directory.resolve("pages_meta.img"), text(5));
        List<Part> sealed = new ArrayList<>();
        for (String name : List.of("checkpoint.img", "pages.img", "pages_meta.img")) {
            sealed.add(
                    parts.seal(
                            name, directory.resolve(name), ObjectKey.ofSnapshot(snapshotId, name)));
        }
        return sealed;
    }

    static Manifest manifest(UUID snapshotId, List<Part> parts) {
        Sha256 template = Sha256.of("template".getBytes(UTF_8));
        return new Manifest(
                new Manifest.Identity(
                        snapshotId,
                        UUID.fromString("11111111-2222-3333-4444-555555555555"),
                        UUID.fromString("aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"),
                        Manifest.Kind.SNAPSHOT,
                        new Manifest.Name("deps-ready", "v1.2")),
                new Manifest.Origin(
                        "iabcdefghij0123456789",
                        new Manifest.Template("base", template),
                        UUID.fromString("99999999-2222-3333-4444-555555555555")),
                new Manifest.Moments(
                        Instant.parse("2026-01-02T03:04:05.123456789Z"),
                        Instant.parse("2026-01-02T03:04:06.5Z"),
                        Instant.parse("2026-01-09T03:04:06.5Z"),
                        Duration.ofNanos(123_456_789)),
                Json.createObjectBuilder()
                        .add("memoryBytes", 536_870_912L)
                        .add("cpus", 2)
                        .add("hostname", "sandbox")
                        .add(
                                "nested",
                                Json.createObjectBuilder()
                                        .add("list", Json.createArrayBuilder().add(1)))
                        .build(),
                new Fingerprint(
                        Sha256.of("runtime".getBytes(UTF_8)),
                        "systrap",
                        new TreeMap<>(Map.of("network", "sandbox", "directfs", "true")),
                        "amd64",
                        new TreeSet<>(Set.of("sse2", "avx2")),
                        template,
                        new TreeMap<>(
                                Map.of(
                                        "/data", Fingerprint.MountMode.READ_WRITE,
                                        "/etc/resolv.conf", Fingerprint.MountMode.READ_ONLY)),
                        1,
                        1),
                "key:1234",
                null,
                parts,
                new TreeMap<>(Map.of("reason", "a \"quoted\" wörd")));
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
