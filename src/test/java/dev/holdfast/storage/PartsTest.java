package dev.holdfast.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import dev.holdfast.storage.Part.Compression;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartsTest {

    private static final ObjectKey KEY = new ObjectKey("snapshots/one/pages.img");

    @TempDir Path temporary;

    private Path root;
    private DirectoryStore store;
    private Parts parts;
    private Path target;

    @BeforeEach
    void open() throws IOException {
        StorageConfig config = Samples.config(temporary, 1L << 30);
        root = config.root();
        store = new DirectoryStore(root, Clock.systemUTC());
        parts = new Parts(store, config);
        target = Files.createDirectories(temporary.resolve("out")).resolve("pages.img");
    }

    @Test
    @Tag("R76")
    void givesACompressedFileBackAsItWas() throws IOException {
        Path raw = write(Samples.text(3_000_000));

        Part part = parts.seal("pages.img", raw, KEY);
        parts.fetch(part, target);

        assertThat(part.compression()).isEqualTo(Compression.ZSTD);
        assertThat(part.rawLength()).isEqualTo(3_000_000);
        assertThat(part.rawDigest()).isEqualTo(Sha256.of(raw));
        assertThat(part.storedLength())
                .isLessThan(1_000_000)
                .isEqualTo(store.size(KEY).getAsLong());
        assertThat(part.storedDigest()).isEqualTo(Sha256.of(root.resolve(KEY.value())));
        assertThat(target).hasSameBinaryContentAs(raw);
        assertThat(Files.getPosixFilePermissions(target)).isEqualTo(Disk.PRIVATE_FILE);
    }

    @Test
    void storesNoiseAsItIs() throws IOException {
        Path raw = write(Samples.noise(3_000_000));

        Part part = parts.seal("pages.img", raw, KEY);
        parts.fetch(part, target);

        assertThat(part.compression()).isEqualTo(Compression.NONE);
        assertThat(part.storedLength()).isEqualTo(3_000_000);
        assertThat(target).hasSameBinaryContentAs(raw);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 4096, 32768, 32769, 262144, 262145, 4 * 1024 * 1024 + 1})
    void carriesEveryLength(int length) throws IOException {
        Path raw = write(Samples.text(length));

        Part part = parts.seal("pages.img", raw, KEY);
        parts.fetch(part, target);

        assertThat(part.rawLength()).isEqualTo(length);
        assertThat(target).hasSameBinaryContentAs(raw);
    }

    @Test
    void compressesWhenOnlyHalfOfTheFileIsNoise() throws IOException {
        byte[] half = Samples.noise(4_000_000);
        Arrays.fill(half, 0, 2_000_000, (byte) 0);

        Part part = parts.seal("pages.img", write(half), KEY);

        assertThat(part.compression()).isEqualTo(Compression.ZSTD);
        assertThat(part.storedLength()).isLessThan(2_100_000);
    }

    @Test
    void sealsTheSameFileTwiceToTheSamePart() throws IOException {
        Path raw = write(Samples.text(6_000_000));

        assertThat(parts.seal("pages.img", raw, KEY)).isEqualTo(parts.seal("pages.img", raw, KEY));
    }

    @Test
    void leavesNothingBehindWhenTheRawFileIsMissing() {
        assertThatThrownBy(() -> parts.seal("pages.img", temporary.resolve("absent"), KEY))
                .isInstanceOf(IOException.class);
        assertThat(root.resolve(".incoming")).isEmptyDirectory();
    }

    @Test
    @Tag("F18")
    void saysMissingWhenTheObjectIsGone() throws IOException {
        Part part = parts.seal("pages.img", write(Samples.text(1000)), KEY);
        store.delete(KEY);

        assertThatThrownBy(() -> parts.fetch(part, target))
                .isInstanceOfSatisfying(
                        PartMissingException.class,
                        missing -> {
                            assertThat(missing.reason()).isEqualTo("missing");
                            assertThat(missing.key()).isEqualTo(KEY);
                        });
        assertThatThrownBy(() -> parts.verify(part)).isInstanceOf(PartMissingException.class);
        assertNothingFetched();
    }

    @Test
    @Tag("F21")
    void noticesASingleFlippedBitAnywhereInTheStoredBytes() throws IOException {
        for (byte[] content : List.of(Samples.text(200_000), Samples.noise(200_000))) {
            Part part = parts.seal("pages.img", write(content), KEY);
            byte[] stored = Files.readAllBytes(root.resolve(KEY.value()));
            Random random = new Random(7);
            for (int round = 0; round < 100; round++) {
                int bit = round < 80 ? round : random.nextInt(stored.length * 8);
                stored[bit / 8] ^= (byte) (1 << bit % 8);
                Files.write(root.resolve(KEY.value()), stored);

                assertCorrupt(part);

                stored[bit / 8] ^= (byte) (1 << bit % 8);
            }
            Files.write(root.resolve(KEY.value()), stored);
            parts.verify(part);
            store.delete(KEY);
        }
    }

    @Test
    @Tag("F21")
    void noticesEveryTruncationAndEveryExtraByte() throws IOException {
        for (byte[] content : List.of(Samples.text(100_000), Samples.noise(100_000))) {
            Part part = parts.seal("pages.img", write(content), KEY);
            byte[] stored = Files.readAllBytes(root.resolve(KEY.value()));
            for (int length : new int[] {0, 1, 5, stored.length / 2, stored.length - 1}) {
                Files.write(root.resolve(KEY.value()), Arrays.copyOf(stored, length));
                assertCorrupt(part);
            }
            Files.write(root.resolve(KEY.value()), Arrays.copyOf(stored, stored.length + 1));
            assertCorrupt(part);
            store.delete(KEY);
        }
    }

    @Test
    @Tag("F21")
    void noticesAWrongRawDigestBehindRightStoredBytes() throws IOException {
        Part part = parts.seal("pages.img", write(Samples.text(100_000)), KEY);
        Part otherDigest =
                new Part(
                        part.name(),
                        part.key(),
                        part.rawLength(),
                        Sha256.of("something else".getBytes(UTF_8)),
                        part.storedLength(),
                        part.storedDigest(),
                        part.compression());
        Part longer = withRawLength(part, part.rawLength() + 1);

        assertThatThrownBy(() -> parts.fetch(otherDigest, target))
                .isInstanceOf(PartCorruptException.class)
                .hasMessageEndingWith("raw digest differs");
        assertThatThrownBy(() -> parts.fetch(longer, target))
                .isInstanceOf(PartCorruptException.class)
                .hasMessageEndingWith("raw length differs");
        assertNothingFetched();
    }

    @Test
    @Tag("F21")
    void stopsADecompressionBombAtTheRawLength() throws IOException {
        byte[] bomb = Zstd.compress(new byte[64 << 20], 1);
        store.put(KEY, new ByteArrayInputStream(bomb));
        Part part =
                new Part(
                        "pages.img",
                        KEY,
                        1000,
                        Sha256.of(new byte[1000]),
                        bomb.length,
                        Sha256.of(bomb),
                        Compression.ZSTD);
        long[] written = new long[1];

        assertThatThrownBy(() -> parts.fetch(part, target))
                .isInstanceOf(PartCorruptException.class)
                .hasMessageEndingWith("more bytes than the part has");
        assertThatThrownBy(
                        () ->
                                Disk.copy(
                                        new ByteArrayInputStream(new byte[5000]),
                                        Tally.into(counting(written), 1000)))
                .isInstanceOf(Tally.OverflowException.class);
        assertThat(written[0]).isLessThanOrEqualTo(1000);
        assertNothingFetched();
    }

    @Test
    void refusesAFrameThatWantsAHugeWindow() throws IOException {
        byte[] wide = Samples.wideWindow(20 << 20);
        store.put(KEY, new ByteArrayInputStream(wide));
        Part part =
                new Part(
                        "pages.img",
                        KEY,
                        20 << 20,
                        Sha256.of(Samples.noise(20 << 20)),
                        wide.length,
                        Sha256.of(wide),
                        Compression.ZSTD);

        assertThatThrownBy(() -> parts.verify(part))
                .isInstanceOf(PartCorruptException.class)
                .hasMessageEndingWith("stored bytes do not decode");
    }

    @Test
    void keepsAnExistingTargetWhenAFetchFails() throws IOException {
        Part part = parts.seal("pages.img", write(Samples.text(1000)), KEY);
        store.delete(KEY);
        Files.writeString(target, "before");

        assertThatThrownBy(() -> parts.fetch(part, target)).isInstanceOf(PartException.class);
        assertThat(target).hasContent("before");
    }

    @Test
    void carriesMoreThanTheHeapCouldHold() throws Exception {
        Process small =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-Xmx24m",
                                "-XX:MaxDirectMemorySize=8m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                RoundTrip.class.getName(),
                                temporary.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(small.getInputStream().readAllBytes(), UTF_8);

        assertThat(small.waitFor()).as(said).isZero();
    }

    private void assertCorrupt(Part part) throws IOException {
        assertThatThrownBy(() -> parts.fetch(part, target))
                .isInstanceOfSatisfying(
                        PartCorruptException.class,
                        corrupt -> assertThat(corrupt.reason()).isEqualTo("corrupt"));
        assertNothingFetched();
    }

    private void assertNothingFetched() throws IOException {
        try (Stream<Path> names = Files.list(target.getParent())) {
            assertThat(names).isEmpty();
        }
    }

    private Path write(byte[] content) throws IOException {
        return Files.write(temporary.resolve("raw"), content);
    }

    private static Part withRawLength(Part part, long rawLength) {
        return new Part(
                part.name(),
                part.key(),
                rawLength,
                part.rawDigest(),
                part.storedLength(),
                part.storedDigest(),
                part.compression());
    }

    private static OutputStream counting(long[] written) {
        return new OutputStream() {
            @Override
            public void write(int single) {
                written[0]++;
            }
        };
    }

    /** Seals and fetches 128 MB of text and of noise in a process with a far smaller heap. */
    static final class RoundTrip {
        public static void main(String[] arguments) throws Exception {
            Path directory = Path.of(arguments[0]);
            StorageConfig config = Samples.config(directory, 1L << 30);
            Parts parts = new Parts(new DirectoryStore(config.root(), Clock.systemUTC()), config);
            for (byte[] block : List.of(Samples.text(1 << 20), Samples.noise(1 << 20))) {
                Path raw = directory.resolve("large");
                try (OutputStream out = Files.newOutputStream(raw)) {
                    for (int written = 0; written < 128; written++) {
                        block[written] ^= 1;
                        out.write(block);
                    }
                }
                ObjectKey key = new ObjectKey("large/" + Sha256.of(block));
                parts.fetch(parts.seal("large", raw, key), directory.resolve("back"));
                if (Files.mismatch(raw, directory.resolve("back")) != -1) {
                    throw new IllegalStateException("differs");
                }
            }
        }
    }
}
