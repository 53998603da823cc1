package dev.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageCacheTest {

    private static final int SIZE = 100_000;

    @TempDir Path temporary;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<UUID, List<Part>> sealed = new HashMap<>();
    private CountingStore store;
    private StorageConfig config;
    private Parts parts;
    private ImageCache cache;
    private Path images;

    @BeforeEach
    void open() throws IOException {
        config = Samples.config(temporary, 3 * SIZE);
        store = new CountingStore(new DirectoryStore(config.root(), Clock.systemUTC()));
        parts = new Parts(store, config);
        images = config.cache().resolve("images");
        restart();
    }

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void handsOutAnAdoptedCheckpointWithoutTouchingTheStore() throws IOException {
        UUID snapshot = seal();
        Path fresh = checkpointOf(snapshot);
        cache.adopt(snapshot, sealed.get(snapshot), fresh);

        try (ImageCache.Lease lease = require(snapshot)) {
            assertThat(fresh).doesNotExist();
            assertThat(lease.directory()).isEqualTo(images.resolve(snapshot.toString()));
            assertIntact(snapshot, lease);
            assertThat(Files.getPosixFilePermissions(lease.directory()))
                    .isEqualTo(Disk.PRIVATE_DIRECTORY);
            assertThat(Files.getPosixFilePermissions(lease.directory().resolve("pages.img")))
                    .isEqualTo(Disk.PRIVATE_FILE);
        }
        assertThat(store.opened).hasValue(0);
    }

    @Test
    void refusesToAdoptWhatAreNotTheParts() throws IOException {
        UUID snapshot = seal();
        Path fresh = checkpointOf(snapshot);
        Files.writeString(fresh.resolve("extra"), "x");

        assertThatThrownBy(() -> cache.adopt(snapshot, sealed.get(snapshot), fresh))
                .isInstanceOf(IOException.class);

        Files.delete(fresh.resolve("extra"));
        Files.write(fresh.resolve("pages.img"), new byte[5]);
        assertThatThrownBy(() -> cache.adopt(snapshot, sealed.get(snapshot), fresh))
                .isInstanceOf(IOException.class);
        assertThat(images).isEmptyDirectory();
    }

    @Test
    void dropsAnAdoptionOfWhatItHolds() throws IOException {
        UUID snapshot = seal();
        require(snapshot).close();
        cache.adopt(snapshot, sealed.get(snapshot), checkpointOf(snapshot));

        assertThat(checkpointOf(snapshot)).doesNotExist();
        require(snapshot).close();
        assertThat(store.opened).hasValue(3);
    }

    @Test
    void fetchesOnceWhenTwentyAskAtTheSameMoment() throws Exception {
        UUID snapshot = seal();
        store.gate = new CountDownLatch(1);
        CountDownLatch asking = new CountDownLatch(20);
        List<Future<ImageCache.Lease>> asked = new ArrayList<>();
        for (int caller = 0; caller < 20; caller++) {
            asked.add(
                    threads.submit(
                            () -> {
                                asking.countDown();
                                return require(snapshot);
                            }));
        }
        asking.await();
        store.gate.countDown();

        for (Future<ImageCache.Lease> each : asked) {
            try (ImageCache.Lease lease = each.get()) {
                assertIntact(snapshot, lease);
            }
        }
        assertThat(store.opened).hasValue(3);
    }

    @Test
    @Tag("F18")
    void tellsAllTwentyWhatFailedAndTriesAnewAfterwards() throws Exception {
        UUID snapshot = seal();
        Part pages = sealed.get(snapshot).get(1);
        byte[] content = Files.readAllBytes(config.root().resolve(pages.key().value()));
        store.delete(pages.key());
        List<Future<ImageCache.Lease>> asked = new ArrayList<>();
        for (int caller = 0; caller < 20; caller++) {
            asked.add(threads.submit(() -> require(snapshot)));
        }
        for (Future<ImageCache.Lease> each : asked) {
            assertThatThrownBy(each::get).hasCauseInstanceOf(PartMissingException.class);
        }
        assertThat(images).isEmptyDirectory();

        store.put(pages.key(), new ByteArrayInputStream(content));
        try (ImageCache.Lease lease = require(snapshot)) {
            assertIntact(snapshot, lease);
        }
    }

    @Test
    void letsAnotherCarryOnWhenTheOneWhoFetchesIsInterrupted() throws Exception {
        UUID snapshot = seal();
        store.gate = new CountDownLatch(1);
        Future<ImageCache.Lease> first = threads.submit(() -> require(snapshot));
        awaitOpened(1);
        Future<ImageCache.Lease> second = threads.submit(() -> require(snapshot));
        first.cancel(true);
        awaitOpened(2);
        store.gate.countDown();

        try (ImageCache.Lease lease = second.get()) {
            assertIntact(snapshot, lease);
        }
    }

    @Test
    @Tag("F21")
    void fetchesAgainWhatWasChangedOnTheDisk() throws IOException {
        UUID snapshot = seal();
        require(snapshot).close();
        Path pages = images.resolve(snapshot.toString()).resolve("pages.img");

        FileTime before = FileTime.fromMillis(1_000_000); // restorable without loss
        Files.setLastModifiedTime(pages, before);
        require(snapshot).close();
        byte[] content = Files.readAllBytes(pages);
        content[500] ^= 1;
        Files.write(pages, content);
        Files.setLastModifiedTime(pages, before);
        assertFetchesAgain(snapshot);

        Files.write(pages, new byte[10]);
        assertFetchesAgain(snapshot);

        Files.delete(pages);
        assertFetchesAgain(snapshot);

        Files.writeString(pages.resolveSibling("extra"), "x");
        assertFetchesAgain(snapshot);

        Disk.deleteTree(images.resolve(snapshot.toString()));
        assertFetchesAgain(snapshot);
    }

    @Test
    void readsNothingToHandOutWhatItHasChecked() throws IOException {
        UUID snapshot = UUID.randomUUID();
        int large = 16 << 20;
        sealed.put(snapshot, Samples.checkpoint(parts, snapshot, checkpointOf(snapshot), large));
        config = Samples.config(temporary, 2L * large);
        restart();
        require(snapshot).close();

        long before = bytesReadByThisProcess();
        require(snapshot).close();

        assertThat(bytesReadByThisProcess() - before).isLessThan(large / 2);
    }

    @Test
    void keepsWhatOnlyLooksDifferentButIsTheSame() throws IOException {
        UUID snapshot = seal();
        require(snapshot).close();
        store.opened.set(0);
        Path pages = images.resolve(snapshot.toString()).resolve("pages.img");
        Files.setLastModifiedTime(pages, FileTime.fromMillis(1000));

        try (ImageCache.Lease lease = require(snapshot)) {
            assertIntact(snapshot, lease);
        }
        assertThat(store.opened).hasValue(0);
    }

    @Test
    @Tag("F21")
    void checksInFullAfterARestart() throws IOException {
        UUID good = seal();
        UUID damaged = seal();
        require(good).close();
        require(damaged).close();
        restart();
        store.opened.set(0);
        Path pages = images.resolve(damaged.toString()).resolve("pages.img");
        byte[] content = Files.readAllBytes(pages);
        content[content.length - 1] ^= 64;
        Files.write(pages, content);

        try (ImageCache.Lease lease = require(good)) {
            assertIntact(good, lease);
            assertThat(store.opened).hasValue(0);
        }
        try (ImageCache.Lease lease = require(damaged)) {
            assertIntact(damaged, lease);
            assertThat(store.opened).hasValue(3);
        }
    }

    @Test
    void removesWhatAKilledProcessLeftHalfMade() throws IOException {
        UUID snapshot = seal();
        require(snapshot).close();
        Path half = Files.createDirectory(images.resolve(".making-" + UUID.randomUUID()));
        Files.write(half.resolve(".pages.img.part"), new byte[100]);
        Files.createDirectory(images.resolve(".gone-" + UUID.randomUUID()));

        restart();

        assertThat(names()).containsExactly(snapshot.toString());
    }

    @Test
    void evictsTheLeastRecentlyUsedButNothingLeased() throws IOException {
        UUID leased = seal();
        UUID old = seal();
        UUID used = seal();
        ImageCache.Lease lease = require(leased);
        require(used).close();
        require(old).close();
        require(used).close();
        UUID added = seal();
        require(added).close();

        assertThat(names())
                .containsExactlyInAnyOrder(leased.toString(), used.toString(), added.toString());
        assertIntact(leased, lease);
        lease.close();
    }

    @Test
    void exceedsItsLimitForLeasesAndComesBackWhenTheyEnd() throws IOException {
        List<ImageCache.Lease> leases = new ArrayList<>();
        for (int count = 0; count < 6; count++) {
            leases.add(require(seal()));
        }
        assertThat(names()).hasSize(6);

        leases.forEach(ImageCache.Lease::close);
        leases.forEach(ImageCache.Lease::close);
        assertThat(names()).hasSize(3);
    }

    @Test
    void keepsItsLimitAfterARestart() throws IOException {
        for (int count = 0; count < 3; count++) {
            require(seal()).close();
        }
        config = Samples.config(temporary, 2 * SIZE);
        restart();

        assertThat(names()).hasSize(2);
    }

    @Test
    void forgetsAtOnceOrWhenTheLastLeaseEnds() throws IOException {
        UUID snapshot = seal();
        ImageCache.Lease one = require(snapshot);
        ImageCache.Lease two = require(snapshot);

        cache.forget(snapshot);
        one.close();
        assertIntact(snapshot, two);
        two.close();
        assertThat(images).isEmptyDirectory();

        require(snapshot).close();
        cache.forget(snapshot);
        cache.forget(snapshot);
        assertThat(images).isEmptyDirectory();
    }

    @Test
    void staysRightUnderRestoresEvictionsAndForgetsAtOnce() throws Exception {
        List<UUID> snapshots = List.of(seal(), seal(), seal(), seal(), seal());
        List<Future<?>> running = new ArrayList<>();
        for (int worker = 0; worker < 6; worker++) {
            Random random = new Random(worker);
            running.add(
                    threads.submit(
                            () -> {
                                for (int round = 0; round < 60; round++) {
                                    UUID snapshot = snapshots.get(random.nextInt(5));
                                    try (ImageCache.Lease lease = require(snapshot)) {
                                        assertIntact(snapshot, lease);
                                    }
                                    if (random.nextInt(4) == 0) {
                                        cache.forget(snapshots.get(random.nextInt(5)));
                                    }
                                }
                                return null;
                            }));
        }
        for (Future<?> each : running) {
            each.get();
        }

        assertThat(names()).hasSizeLessThanOrEqualTo(3).noneMatch(name -> name.startsWith("."));
        snapshots.forEach(cache::forget);
        assertThat(images).isEmptyDirectory();
    }

    private void assertFetchesAgain(UUID snapshot) throws IOException {
        store.opened.set(0);
        try (ImageCache.Lease lease = require(snapshot)) {
            assertIntact(snapshot, lease);
        }
        assertThat(store.opened).hasValue(3);
        assertThat(names()).containsExactly(snapshot.toString());
    }

    private void assertIntact(UUID snapshot, ImageCache.Lease lease) throws IOException {
        for (Part part : sealed.get(snapshot)) {
            assertThat(Sha256.of(lease.directory().resolve(part.name())))
                    .isEqualTo(part.rawDigest());
        }
        try (Stream<Path> files = Files.list(lease.directory())) {
            assertThat(files).hasSize(sealed.get(snapshot).size());
        }
    }

    private ImageCache.Lease require(UUID snapshot) throws IOException {
        return cache.require(snapshot, sealed.get(snapshot));
    }

    private UUID seal() throws IOException {
        UUID snapshot = UUID.randomUUID();
        sealed.put(snapshot, Samples.checkpoint(parts, snapshot, checkpointOf(snapshot), SIZE));
        return snapshot;
    }

    private Path checkpointOf(UUID snapshot) {
        return temporary.resolve("checkpoint-" + snapshot);
    }

    private void restart() throws IOException {
        cache = new ImageCache(parts, config);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> names = Files.list(images)) {
            return names.map(path -> path.getFileName().toString()).toList();
        }
    }

    private static long bytesReadByThisProcess() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/io")).stream()
                .filter(line -> line.startsWith("rchar: "))
                .mapToLong(line -> Long.parseLong(line.substring("rchar: ".length())))
                .findFirst()
                .orElseThrow();
    }

    private void awaitOpened(int count) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (store.opened.get() < count && System.nanoTime() < end) {
            Thread.sleep(5);
        }
        assertThat(store.opened.get()).isGreaterThanOrEqualTo(count);
    }
}
