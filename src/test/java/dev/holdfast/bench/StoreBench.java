package dev.holdfast.bench;

import dev.holdfast.run.LocalBucket;
import dev.holdfast.storage.DirectoryStore;
import dev.holdfast.storage.Disk;
import dev.holdfast.storage.ObjectKey;
import dev.holdfast.storage.ObjectStore;
import dev.holdfast.storage.Part;
import dev.holdfast.storage.Parts;
import dev.holdfast.storage.S3Config;
import dev.holdfast.storage.S3Store;
import dev.holdfast.storage.StorageConfig;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;

/**
 * Measures putting an image of 256 MiB into a store and getting it back, into a bucket beside a
 * directory, both on this machine: {@code mvn -Pbench
 * -Dholdfast.bench=dev.holdfast.bench.StoreBench}. The directory's objects are forced to the disk,
 * the bucket's as its server does it.
 *
 * <p>The third argument is an empty place. {@code holdfast.repeat} says how often; never less than
 * 5 times after the first, which warms up and does not count.
 */
public final class StoreBench {

    private static final int LEAST = 5;
    private static final int MIB = 1 << 20;
    private static final int LENGTH = 256;

    private StoreBench() {}

    public static void main(String... arguments) throws Exception {
        int times = Math.max(LEAST, Integer.getInteger("holdfast.repeat", LEAST));
        Path home = Files.createDirectories(Path.of(arguments[2]));
        try (LocalBucket bucket = LocalBucket.start(home.resolve("bucket"));
                S3Store remote = new S3Store(config(bucket), Clock.systemUTC())) {
            var local = new DirectoryStore(home.resolve("store"), Clock.systemUTC());
            System.out.print(
                    report("memory, half of it the same", image(home, 2), remote, local, times)
                            + report("noise", image(home, 1), remote, local, times));
        } finally {
            Disk.deleteTree(home);
        }
    }

    private static S3Config config(LocalBucket bucket) {
        LocalBucket.unlock();
        return new S3Config(
                LocalBucket.NAME,
                bucket.address(),
                LocalBucket.REGION,
                true,
                "",
                4,
                Duration.ofMinutes(1));
    }

    /** Each stretch of noise is followed by as much that repeats, if {@code stretches} is two. */
    private static Path image(Path home, int stretches) throws IOException {
        Path image = home.resolve("image-" + stretches);
        Random random = new Random(stretches);
        byte[] chunk = new byte[MIB];
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(image))) {
            for (int i = 0; i < LENGTH; i++) {
                if (i % stretches == 0) {
                    random.nextBytes(chunk);
                } else {
                    Arrays.fill(chunk, (byte) i);
                }
                out.write(chunk);
            }
        }
        return image;
    }

    private static String report(
            String what, Path image, ObjectStore remote, ObjectStore local, int times)
            throws IOException {
        Sample put = new Sample("put into the bucket");
        Sample get = new Sample("get from the bucket");
        Sample localPut = new Sample("put into the directory");
        Sample localGet = new Sample("get from the directory");
        for (int i = 0; i <= times; i++) {
            measure(image, remote, put, get);
            measure(image, local, localPut, localGet);
            if (i == 0) {
                put.clear();
                get.clear();
                localPut.clear();
                localGet.clear();
            }
        }
        return "%n%d MiB of %s, %d times, ms%n".formatted(LENGTH, what, times)
                + Sample.HEADING
                + put.line()
                + localPut.line()
                + get.line()
                + localGet.line()
                + put.beside(localPut, "put, bucket / directory", "")
                + get.beside(localGet, "get, bucket / directory", "");
    }

    private static void measure(Path image, ObjectStore store, Sample put, Sample get)
            throws IOException {
        Path work = image.resolveSibling("work");
        Parts parts = new Parts(store, new StorageConfig(work, work, 0, 1, 2, Duration.ofHours(1)));
        ObjectKey key = ObjectKey.ofSnapshot(UUID.randomUUID(), "pages.img");
        long begin = System.nanoTime();
        Part part = parts.seal("pages.img", image, key);
        put.add(System.nanoTime() - begin);
        Path back = image.resolveSibling("back");
        begin = System.nanoTime();
        parts.fetch(part, back);
        get.add(System.nanoTime() - begin);
        Files.delete(back);
        store.delete(key);
    }
}
