package dev.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlobCacheTest {

    @TempDir Path temporary;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private StorageConfig config;
    private CountingStore store;
    private BlobCache blobs;
    private Path file;

    @BeforeEach
    void open() throws IOException {
        config = Samples.config(temporary, 1L << 30);
        store = new CountingStore(new DirectoryStore(config.root(), Clock.systemUTC()));
        restart();
        file = Files.write(temporary.resolve("image"), Samples.noise(300_000));
    }

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void publishesUnderTheDigestAndGivesTheSameBytesBack() throws IOException {
        Blob template = blobs.publish(Blob.Kind.TEMPLATE, file);
        Blob runtime = blobs.publish(Blob.Kind.RUNTIME, file);

        assertThat(template.key().value()).isEqualTo("templates/" + Sha256.of(file) + ".squashfs");
        assertThat(runtime.key().value()).isEqualTo("runtimes/" + Sha256.of(file));
        assertThat(blobs.require(template)).hasSameBinaryContentAs(file);
        assertThat(mode(blobs.require(template))).isEqualTo("rw-------");
        assertThat(mode(blobs.require(runtime))).isEqualTo("rwx------");
    }

    @Test
    void publishesOnce() throws IOException {
        assertThat(blobs.publish(Blob.Kind.TEMPLATE, file))
                .isEqualTo(blobs.publish(Blob.Kind.TEMPLATE, file));
        assertThat(config.root().resolve("templates")).isDirectoryContaining("glob:**.squashfs");
        assertThat(config.root().resolve(".incoming")).isEmptyDirectory();
    }

    @Test
    void fetchesOnceWhenTwentyAskAtTheSameMoment() throws Exception {
        Blob blob = blobs.publish(Blob.Kind.RUNTIME, file);
        store.gate = new CountDownLatch(1);
        List<Future<Path>> asked = new ArrayList<>();
        for (int caller = 0; caller < 20; caller++) {
            asked.add(threads.submit(() -> blobs.require(blob)));
        }
        store.gate.countDown();

        for (Future<Path> each : asked) {
            assertThat(each.get()).hasSameBinaryContentAs(file).isExecutable();
        }
        assertThat(store.opened).hasValue(1);
    }

    @Test
    @Tag("F18")
    void saysMissingWhenTheStoreHasNone() {
        Blob blob = new Blob(Blob.Kind.TEMPLATE, Sha256.of(new byte[3]));

        assertThatThrownBy(() -> blobs.require(blob)).isInstanceOf(PartMissingException.class);
    }

    @Test
    @Tag("F21")
    void saysCorruptWhenTheStoredBytesAreOthers() throws IOException {
        Blob blob = new Blob(Blob.Kind.TEMPLATE, Sha256.of(new byte[3]));
        store.put(blob.key(), new ByteArrayInputStream(new byte[4]));

        assertThatThrownBy(() -> blobs.require(blob)).isInstanceOf(PartCorruptException.class);
        assertThat(config.cache().resolve("templates")).isEmptyDirectory();
    }

    @Test
    @Tag("F21")
    void repairsADamagedCopyInThisLifeAndInTheNext() throws IOException {
        Blob blob = blobs.publish(Blob.Kind.TEMPLATE, file);
        damage(blobs.require(blob));
        assertThat(blobs.require(blob)).hasSameBinaryContentAs(file);

        damage(blobs.require(blob));
        restart();
        assertThat(blobs.require(blob)).hasSameBinaryContentAs(file);
        assertThat(store.opened).hasValue(3);
    }

    @Test
    void usesAnIntactCopyWithoutTheStore() throws IOException {
        Blob blob = blobs.publish(Blob.Kind.TEMPLATE, file);
        blobs.require(blob);
        store.delete(blob.key());
        restart();

        assertThat(blobs.require(blob)).hasSameBinaryContentAs(file);
        blobs.forget(blob);
        blobs.forget(blob);
        assertThatThrownBy(() -> blobs.require(blob)).isInstanceOf(PartMissingException.class);
    }

    @Test
    void removesWhatAKilledProcessLeftHalfMade() throws IOException {
        Path half = config.cache().resolve("templates/.half");
        Files.write(half, new byte[10]);

        restart();

        assertThat(half).doesNotExist();
    }

    private static void damage(Path copy) throws IOException {
        byte[] content = Files.readAllBytes(copy);
        content[7] ^= 1;
        Files.write(copy, content);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private void restart() throws IOException {
        blobs = new BlobCache(store, new Parts(store, config), config);
    }
}
