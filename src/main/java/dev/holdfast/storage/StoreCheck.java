package dev.holdfast.storage;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Whether the store answers and takes an upload. A full one does: it can still be read, and
 * captures say themselves that it is full.
 */
@Readiness
@ApplicationScoped
public class StoreCheck implements HealthCheck {

    /** Whoever asks whether this node is ready waits no longer, whatever the store is asked for. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    @Inject ObjectStore store;
    @Resource ManagedThreadFactory threads;

    /** Of its own: that others keep all threads busy says nothing about the store. */
    ExecutorService asker;

    private CompletableFuture<Optional<String>> asking = CompletableFuture.completedFuture(null);

    @PostConstruct
    void begin() {
        asker = Executors.newSingleThreadExecutor(threads);
    }

    @PreDestroy
    void end() {
        asker.shutdownNow();
    }

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named("store");
        return lack().map(why -> answer.down().withData("why", why)).orElseGet(answer::up).build();
    }

    /** What is wrong with it now; empty if nothing is. */
    Optional<String> lack() {
        try {
            return asking().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Optional.of("it does not answer within " + PATIENCE.toSeconds() + " seconds");
        } catch (ExecutionException e) {
            return Optional.of(e.getCause().toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    /** A store that does not answer keeps one thread, however often it is asked for. */
    private synchronized CompletableFuture<Optional<String>> asking() {
        if (asking.isDone()) {
            asking = CompletableFuture.supplyAsync(this::ask, asker);
        }
        return asking;
    }

    private Optional<String> ask() {
        try {
            store.check();
            return Optional.empty();
        } catch (BucketException e) {
            return Optional.of(e.getMessage());
        } catch (IOException | RuntimeException e) {
            return Optional.of(e.toString());
        }
    }
}
