package dev.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreCheckTest {

    @Test
    void isDownAsLongAsTheStoreIsNotThereAndSaysWhy(@TempDir Path directory) throws Exception {
        var root = directory.resolve("store");
        var check = new StoreCheck();
        check.store = new DirectoryStore(root, Clock.systemUTC());
        check.asker = ForkJoinPool.commonPool();
        assertThat(check.lack()).isEmpty();

        Files.move(root, directory.resolve("away"));
        assertThat(check.lack()).get().asString().contains("NoSuchFile");

        Files.move(directory.resolve("away"), root);
        assertThat(check.lack()).isEmpty();
        try (var left = Files.list(root.resolve(".incoming"))) {
            assertThat(left).isEmpty();
        }
    }

    /** A shared directory whose server is away answers nothing at all. */
    @Test
    void isDownInTimeWhileTheStoreDoesNotAnswer(@TempDir Path directory) throws Exception {
        var answers = new CountDownLatch(1);
        var check = new StoreCheck();
        check.asker = Executors.newCachedThreadPool();
        check.store =
                new ForwardingStore(new DirectoryStore(directory, Clock.systemUTC())) {
                    @Override
                    public void check() throws IOException {
                        try {
                            answers.await();
                        } catch (InterruptedException e) {
                            throw new InterruptedIOException();
                        }
                        super.check();
                    }
                };
        try {
            var begun = System.nanoTime();
            assertThat(check.lack()).get().asString().contains("within 5 seconds");
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isLessThan(StoreCheck.PATIENCE.plusSeconds(2));
            var again = CompletableFuture.supplyAsync(check::lack);
            answers.countDown();
            assertThat(again.get(4, TimeUnit.SECONDS)).isEmpty();
        } finally {
            check.asker.shutdownNow();
        }
    }
}
