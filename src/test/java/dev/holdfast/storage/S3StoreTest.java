package dev.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.LocalBucket;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class S3StoreTest extends ObjectStoreContract {

    private static final boolean SOAK = Integer.getInteger("holdfast.repeat", 2) > 2;

    @TempDir static Path directory;

    private static LocalBucket bucket;

    private final String prefix = UUID.randomUUID() + "/";
    private final List<S3Store> opened = new ArrayList<>();
    private S3Store store;
    private Duration passed = Duration.ZERO;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        bucket = LocalBucket.start(directory);
    }

    @AfterAll
    static void stop() {
        bucket.close();
    }

    @BeforeEach
    void open() {
        passTime(Duration.ZERO);
    }

    @AfterEach
    void close() {
        opened.forEach(S3Store::close);
    }

    @Override
    ObjectStore store() {
        return store;
    }

    @Override
    void passTime(Duration time) {
        passed = passed.plus(time);
        store =
                new S3Store(
                        Buckets.at(bucket.address(), prefix),
                        Clock.offset(Clock.systemUTC(), passed),
                        Buckets.PART);
        opened.add(store);
    }

    /**
     * A bucket's listing is consistent. This server walks over files, and leaves out the rest of a
     * directory when one that it has just seen there is gone as it looks at it, as its own
     * temporary ones are. What it keeps in memory is walked over in the same way.
     */
    @Override
    @Test
    @Disabled("this server leaves objects out while others vanish beside them; a bucket must not")
    void listsWhatIsThereThroughoutWhileNeighboursComeAndGo() throws Exception {
        super.listsWhatIsThereThroughoutWhileNeighboursComeAndGo();
    }

    @Test
    void keepsAnObjectOfExactlyOnePart() throws IOException {
        for (int length : List.of(Buckets.PART - 1, Buckets.PART, Buckets.PART + 1)) {
            ObjectKey key = new ObjectKey("part/" + length);
            put(key, new byte[length]);

            assertThat(store.size(key)).hasValue(length);
            assertThat(bytes(key)).isEqualTo(new byte[length]);
        }
    }

    @Test
    void recognisesTheSameContentWithoutReadingIt() throws IOException {
        put(KEY, "memory");
        Path file = bucket.objects().resolve(prefix + KEY);
        Files.writeString(file, "MEMORY");

        assertThat(put(KEY, "memory").size()).isEqualTo(6);
    }

    @Test
    void seesOnlyWhatLiesBelowItsPrefix() throws IOException {
        put(KEY, "memory");
        try (S3Store other =
                new S3Store(
                        Buckets.at(bucket.address(), prefix + "below/"),
                        Clock.systemUTC(),
                        Buckets.PART)) {
            assertThat(other.exists(KEY)).isFalse();
            assertThat(other.any("", object -> true)).isFalse();
            try (ObjectStore.Upload upload = store.begin(new ObjectKey("another/object"))) {
                upload.body().write(noise(1));
                assertThat(other.removeLeftovers(Duration.ofDays(-1))).isZero();
                upload.commit();
            }
        }
    }

    @Test
    void listsPageByPage() throws IOException {
        Path row = Files.createDirectories(bucket.objects().resolve(prefix + "row"));
        for (int i = 0; i < 2_100; i++) {
            Files.createFile(row.resolve("object-" + i));
        }

        assertThat(list("row/").stream().map(object -> object.key().value()))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 2_100).mapToObj(i -> "row/object-" + i).toList());
    }

    @Test
    void keepsAnUploadThatIsStillTouched() throws IOException {
        try (ObjectStore.Upload slow = store.begin(KEY)) {
            slow.body().write(noise(1));
            passTime(Duration.ofMinutes(50));
            assertThat(store.removeLeftovers(Duration.ofHours(1))).isZero();
        }
    }

    @Test
    void isReadyAndLeavesNothingThatIsListed() throws IOException {
        store.check();
        store.check();

        assertThat(list("")).isEmpty();
    }

    /** In a process with less memory than the object has, by the bucket's own host name. */
    @Test
    void needsNoMoreMemoryForALargerObject() throws Exception {
        Path hosts = directory.resolve("hosts");
        Files.writeString(hosts, "127.0.0.1 localhost " + LocalBucket.NAME + ".localhost\n");
        Path said = directory.resolve("large.log");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-XX:+UseSerialGC",
                                "-Xmx64m",
                                "-Djdk.net.hosts.file=" + hosts,
                                "-cp",
                                System.getProperty("java.class.path"),
                                LargeObject.class.getName(),
                                bucket.address().toString(),
                                prefix,
                                Long.toString(SOAK ? 1L << 30 : 128L << 20))
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
        }

        assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    }

    /** Puts an object and reads it again. */
    static final class LargeObject {
        public static void main(String[] arguments) throws IOException {
            LocalBucket.unlock();
            var config =
                    new S3Config(
                            LocalBucket.NAME,
                            URI.create(arguments[0]),
                            LocalBucket.REGION,
                            false,
                            arguments[1],
                            4,
                            Duration.ofMinutes(1));
            long length = Long.parseLong(arguments[2]);
            Tally written;
            Tally read = Tally.discarding();
            try (S3Store store = new S3Store(config, Clock.systemUTC())) {
                try (ObjectStore.Upload upload = store.begin(KEY)) {
                    written = Tally.into(upload.body());
                    byte[] chunk = new byte[1 << 20];
                    for (long i = 0; i < length; i += chunk.length) {
                        chunk[0] = (byte) (i >> 20);
                        written.write(chunk);
                    }
                    upload.commit();
                }
                try (var content = store.open(KEY).orElseThrow()) {
                    Disk.copy(content, read);
                }
            }
            if (read.length() != length || !read.digest().equals(written.digest())) {
                throw new AssertionError("read something else than was written");
            }
        }
    }
}
