package dev.holdfast.storage;

import static dev.holdfast.Eventually.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.run.LocalBucket;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store in a bucket does when the bucket, or the way to it, does not do what it should. */
class S3FaultsTest {

    private static final ObjectKey KEY = ObjectStoreContract.KEY;

    private static final byte[] BEGUN =
            "<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>"
                    .getBytes(UTF_8);

    @TempDir static Path directory;

    private static LocalBucket bucket;

    private final String prefix = UUID.randomUUID() + "/";
    private final byte[] content = ObjectStoreContract.noise(1);
    private Wire wire;
    private S3Store store;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        bucket = LocalBucket.start(directory);
    }

    @AfterAll
    static void stop() {
        bucket.close();
    }

    @BeforeEach
    void open() throws IOException {
        wire = new Wire(bucket.place());
        store = store(4, Duration.ofSeconds(30));
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        wire.close();
    }

    private S3Store store(int attempts, Duration patience) {
        return new S3Store(
                Buckets.at(wire.address(), prefix, attempts, patience),
                Clock.systemUTC(),
                Buckets.PART);
    }

    @Test
    void readsOnFromWhereAReadingBrokeOff() throws IOException {
        put(content);
        wire.cutAnswers(5, 1 << 20);

        assertThat(read()).isEqualTo(content);
        assertThat(wire.left()).isZero();
    }

    @Test
    void givesUpAReadingThatBreaksOffAgainAndAgain() throws IOException {
        put(content);
        wire.cutAnswers(100, 64 << 10);

        assertThatThrownBy(this::read)
                .isInstanceOf(BucketException.class)
                .hasMessageContaining("broke off 9 times");
        assertThat(wire.left()).isGreaterThan(80);
    }

    @Test
    void doesNotGoOnWithAnotherObject() throws IOException {
        put(content);
        try (InputStream open = store.open(KEY).orElseThrow()) {
            open.readNBytes(1000);
            Path file = bucket.objects().resolve(prefix + KEY);
            Files.delete(file);
            put(ObjectStoreContract.noise(2));
            wire.cutAnswers(1, 0);

            assertThatThrownBy(open::readAllBytes)
                    .isInstanceOf(BucketException.class)
                    .hasMessageContaining("refuses it");
        }
    }

    @Test
    void sendsAPartAgainWhoseTransmissionBrokeOff() throws IOException {
        wire.cutRequests(2, 3 << 20);
        wire.loseAnswerTo(Pattern.compile("^PUT [^ ]*[?&]partNumber=2"));

        put(content);

        assertThat(wire.left()).isZero();
        assertThat(read()).isEqualTo(content);
        assertThat(store.removeLeftovers(Duration.ofDays(-1))).isZero();
    }

    /** It was made, but nobody heard of it: the repetition finds it there and the same. */
    @Test
    void countsAnObjectAsStoredWhoseAnswerWasLost() throws IOException {
        byte[] small = "memory".getBytes(UTF_8);
        wire.cutAnswers(1, 0);

        put(small);

        assertThat(wire.left()).isZero();
        assertThat(read()).isEqualTo(small);
    }

    @Test
    void countsALargeObjectAsStoredWhoseAnswerWasLost() throws IOException {
        wire.loseAnswerTo(Pattern.compile("^POST [^ ]*[?&]uploadId="));

        put(content);

        assertThat(wire.left()).isZero();
        assertThat(read()).isEqualTo(content);
        assertThat(store.removeLeftovers(Duration.ofDays(-1))).isZero();
    }

    /** By its digest alone, as over an encrypted way, where a body is not signed. */
    @Test
    void hasWhatWasChangedOnTheWayRefused() throws Exception {
        try (var trusting = LocalBucket.startTrusting(directory.resolve("trusting"));
                var way = new Wire(trusting.place());
                var kept =
                        new S3Store(
                                Buckets.at(way.address(), prefix),
                                Clock.systemUTC(),
                                Buckets.PART)) {
            for (int length : List.of(1 << 20, ObjectStoreContract.LARGE)) {
                byte[] sent = Arrays.copyOf(content, length);
                ObjectKey key = new ObjectKey("sent/" + length);
                way.flipRequests(length / 4);

                assertThatThrownBy(() -> kept.put(key, new ByteArrayInputStream(sent)))
                        .isInstanceOfSatisfying(
                                BucketException.class,
                                e ->
                                        assertThat(e.reason())
                                                .isEqualTo(BucketException.Reason.REFUSED))
                        .hasMessageContaining("BadDigest");
                assertThat(way.left()).isZero();
                assertThat(kept.exists(key)).isFalse();
                assertThat(kept.removeLeftovers(Duration.ofDays(-1))).isZero();

                kept.put(key, new ByteArrayInputStream(sent));
                try (InputStream open = kept.open(key).orElseThrow()) {
                    assertThat(open.readAllBytes()).isEqualTo(sent);
                }
            }
        }
    }

    /** Where it is signed too, the signature is looked at first. */
    @ParameterizedTest
    @ValueSource(ints = {1 << 20, ObjectStoreContract.LARGE})
    void hasWhatWasSignedAndChangedRefused(int length) throws IOException {
        wire.flipRequests(length / 4);

        assertThatThrownBy(() -> put(Arrays.copyOf(content, length)))
                .isInstanceOf(BucketException.class);
        assertThat(wire.left()).isZero();
        assertThat(store.exists(KEY)).isFalse();
        assertThat(store.removeLeftovers(Duration.ofDays(-1))).isZero();
    }

    @Test
    void takesNothingThatWasChangedOnTheWayBack() throws IOException {
        var parts = new Parts(store, Samples.config(directory, 1L << 30));
        var raw = Files.write(directory.resolve("raw"), content);
        var part = parts.seal("memory", raw, KEY);
        var target = directory.resolve("fetched");
        wire.flipAnswers(3 << 20);

        assertThatThrownBy(() -> parts.fetch(part, target))
                .isInstanceOf(PartCorruptException.class);
        assertThat(wire.left()).isZero();
        assertThat(target).doesNotExist();

        parts.fetch(part, target);
        assertThat(target).hasBinaryContent(content);
    }

    @Test
    void waitsForABusyServer() throws IOException {
        wire.refuse(2);

        put("memory".getBytes(UTF_8));

        assertThat(wire.refused()).isEqualTo(2);
        assertThat(read()).isEqualTo("memory".getBytes(UTF_8));
    }

    @Test
    void givesUpOnAServerThatStaysBusy() throws IOException {
        wire.refuse(100);

        assertThatThrownBy(() -> put(content))
                .isInstanceOfSatisfying(
                        BucketException.class,
                        e -> assertThat(e.reason()).isEqualTo(BucketException.Reason.BUSY))
                .hasMessageContaining("SlowDown");
        assertThat(wire.refused()).isEqualTo(4);
    }

    @Test
    void waitsForASilentServerNoLongerThanItMay() throws IOException {
        store.close();
        store = store(2, Duration.ofMillis(300));
        wire.fallSilent();
        long start = System.nanoTime();

        assertThatThrownBy(() -> store.size(KEY))
                .isInstanceOfSatisfying(
                        BucketException.class,
                        e -> assertThat(e.reason()).isEqualTo(BucketException.Reason.UNREACHABLE));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void endsAReadingFromAServerThatFallsSilent() throws IOException {
        put(content);
        store.close();
        store = store(2, Duration.ofMillis(300));
        try (InputStream open = store.open(KEY).orElseThrow()) {
            open.read();
            wire.fallSilent();

            assertThatThrownBy(open::readAllBytes)
                    .isInstanceOf(BucketException.class)
                    .hasMessageContaining("does not answer in time");
        }
    }

    @Test
    void leavesToASweepWhatItCannotDrop() throws IOException {
        ObjectStore.Upload broken = store.begin(KEY);
        broken.body().write(content);
        wire.close();

        assertThatThrownBy(broken::close).isInstanceOf(BucketException.class);
        try (Wire mended = new Wire(bucket.place());
                S3Store later =
                        new S3Store(
                                Buckets.at(mended.address(), prefix),
                                Clock.systemUTC(),
                                Buckets.PART)) {
            assertThat(later.exists(KEY)).isFalse();
            assertThat(later.removeLeftovers(Duration.ofDays(-1))).isEqualTo(1);
            assertThat(later.removeLeftovers(Duration.ofDays(-1))).isZero();
        }
    }

    @Test
    void saysWhatIsWrongWithTheBucket() throws Exception {
        assertThat(lack(store)).isNull();

        wire.close();
        await("it is noticed", () -> lack(store) != null);
        assertThat(lack(store)).startsWith("the bucket holdfast does not answer in time: ");
        try (S3Store nowhere = direct("nowhere")) {
            assertThat(lack(nowhere)).isEqualTo("the bucket nowhere does not exist: NoSuchBucket");
        }
        try (S3Store strange = direct(LocalBucket.NAME)) {
            System.setProperty("aws.secretAccessKey", "another");
            assertThat(lack(strange))
                    .isEqualTo("the bucket holdfast denies it: SignatureDoesNotMatch");
        } finally {
            LocalBucket.unlock();
        }
        System.setProperty("aws.disableEc2Metadata", "true");
        try (S3Store keyless = direct(LocalBucket.NAME)) {
            System.clearProperty("aws.accessKeyId");
            assertThat(lack(keyless))
                    .isEqualTo(
                            "the bucket holdfast was not asked, because nobody gave a key to it");
        } finally {
            System.clearProperty("aws.disableEc2Metadata");
            LocalBucket.unlock();
        }
    }

    /** Stands for servers that know no conditions, or not those of an upload in parts. */
    @ParameterizedTest
    @ValueSource(strings = {"anything", "parts"})
    void takesNoBucketThatLetsObjectsBeOverwritten(String lets) throws IOException {
        HttpServer heedless =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        heedless.createContext(
                "/",
                exchange -> {
                    exchange.getRequestBody().readAllBytes();
                    String asked = exchange.getRequestMethod();
                    boolean whole = exchange.getRequestURI().getRawQuery() == null;
                    int status =
                            switch (asked) {
                                case "HEAD" -> 404;
                                case "PUT" -> whole && lets.equals("parts") ? 412 : 200;
                                default -> 200;
                            };
                    byte[] answer = asked.equals("POST") ? BEGUN : new byte[0];
                    exchange.getResponseHeaders().add("ETag", "\"one\"");
                    exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        heedless.start();
        URI address = URI.create("http://localhost:" + heedless.getAddress().getPort());
        try (S3Store anything =
                new S3Store(Buckets.at(address, prefix), Clock.systemUTC(), Buckets.PART)) {
            assertThat(lack(anything))
                    .isEqualTo(
                            "the bucket holdfast lets objects be overwritten: it does not heed"
                                    + " If-None-Match");
        } finally {
            heedless.stop(0);
        }
    }

    private S3Store direct(String name) {
        return new S3Store(
                new S3Config(
                        name,
                        bucket.address(),
                        LocalBucket.REGION,
                        true,
                        prefix,
                        1,
                        Duration.ofSeconds(30)),
                Clock.systemUTC());
    }

    private static String lack(S3Store store) {
        var check = new StoreCheck();
        check.store = store;
        check.asker = ForkJoinPool.commonPool();
        return check.lack().orElse(null);
    }

    private void put(byte[] bytes) throws IOException {
        store.put(KEY, new ByteArrayInputStream(bytes));
    }

    private byte[] read() throws IOException {
        try (InputStream open = store.open(KEY).orElseThrow()) {
            return open.readAllBytes();
        }
    }
}
