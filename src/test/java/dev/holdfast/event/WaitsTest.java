package dev.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WaitsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final RuntimeException AWAY = new IllegalStateException("no connection");

    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);

    @AfterEach
    void endsItsThreads() {
        threads.shutdownNow();
    }

    @Test
    @Tag("R104")
    @Tag("F9")
    void goesOnWhileTheDatabaseIsAway() throws Exception {
        var looks = new AtomicInteger();
        var waits = waits(LIMIT);
        var answer =
                waits.until(
                        "capture",
                        () -> {
                            if (looks.incrementAndGet() < 3) {
                                throw AWAY;
                            }
                            return Optional.of("saved");
                        },
                        LIMIT);
        while (looks.get() < 2) {
            waits.signal("capture");
            Thread.sleep(10);
        }

        assertThat(answer.toCompletableFuture().get()).isEqualTo("saved");
    }

    @Test
    void saysWhenTheStateCannotBeReadByTheLimitOfTheCaller() throws Exception {
        assertUnavailable(waits(LIMIT).until("capture", WaitsTest::fails, SHORT));
    }

    @Test
    void doesNotWaitForEverForADatabaseThatStaysAway() throws Exception {
        assertUnavailable(waits(SHORT).until("capture", WaitsTest::fails, LIMIT));
    }

    @Test
    void tellsAtOnceWhatARoomRefuses() throws Exception {
        Supplier<Optional<String>> refused =
                () -> {
                    throw new Problem(Reason.SANDBOX_NOT_FOUND, "gone");
                };

        assertThat(failure(waits(LIMIT).until("sandbox", refused, LIMIT)))
                .isInstanceOfSatisfying(
                        Problem.class,
                        told -> assertThat(told.reason()).isEqualTo(Reason.SANDBOX_NOT_FOUND));
    }

    @Test
    void runsOutWhenThereIsNoAnswerYet() throws Exception {
        assertThat(failure(waits(LIMIT).until("capture", Optional::empty, SHORT)))
                .isInstanceOf(TimeoutException.class);
    }

    private static Optional<String> fails() {
        throw AWAY;
    }

    private static void assertUnavailable(CompletionStage<String> stage) throws Exception {
        assertThat(failure(stage))
                .isInstanceOfSatisfying(
                        Problem.class,
                        told -> {
                            assertThat(told.reason()).isEqualTo(Reason.TEMPORARILY_UNAVAILABLE);
                            assertThat(told.retryAfter()).isPresent();
                        });
    }

    private static Throwable failure(CompletionStage<?> stage) throws Exception {
        try {
            return new AssertionError("answered: " + stage.toCompletableFuture().get());
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    private Waits waits(Duration blind) {
        var waits = new Waits(blind);
        waits.executor = managed(ManagedExecutorService.class);
        waits.scheduler = managed(ManagedScheduledExecutorService.class);
        return waits;
    }

    /** Of the container's executors only what every executor does is used. */
    private <T> T managed(Class<T> kind) {
        return kind.cast(
                Proxy.newProxyInstance(
                        kind.getClassLoader(),
                        new Class<?>[] {kind},
                        (proxy, method, arguments) -> method.invoke(threads, arguments)));
    }
}
