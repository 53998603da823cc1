package dev.holdfast.gateway;

import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.worker.WorkerConfig;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

/**
 * Who of the sandboxes that run on other nodes made a signature. Anybody may ask that, without a
 * token, so the whole node looks with one thread: those who ask meanwhile are looked for together,
 * with one query for all of them, and no more may wait than there is room for.
 */
@ApplicationScoped
class Signers {

    /**
     * Of more than these the newest are looked at; addresses that name their sandbox always work.
     */
    static final int MOST = 10_000;

    static final int MOST_WAITING = 256;

    private static final Duration KEPT = Duration.ofSeconds(5);

    private record Asked(
            SignedFile.Candidate candidate, CompletableFuture<Optional<SandboxId>> answer) {}

    @Inject Clock clock;
    @Inject Sandboxes sandboxes;
    @Inject SandboxTokens tokens;
    @Inject WorkerConfig here;
    @Resource ManagedExecutorService executor;

    private final Deque<Asked> waiting = new ArrayDeque<>();
    private boolean busy;

    /** Only for who is busy. */
    private Map<SandboxId, String> signers = Map.of();

    private Instant readAt = Instant.EPOCH;

    /**
     * @return fails with {@link RejectedExecutionException} where too many are asking
     */
    CompletionStage<Optional<SandboxId>> find(SignedFile file) {
        Asked asked = new Asked(file.candidate(), new CompletableFuture<>());
        synchronized (waiting) {
            if (waiting.size() >= MOST_WAITING) {
                asked.answer().completeExceptionally(new RejectedExecutionException());
                return asked.answer();
            }
            waiting.add(asked);
            if (busy) {
                return asked.answer();
            }
            busy = true;
        }
        try {
            executor.execute(this::lookForAll);
        } catch (RejectedExecutionException full) {
            for (List<Asked> all = next(); !all.isEmpty(); all = next()) {
                all.forEach(each -> each.answer().completeExceptionally(full));
            }
        }
        return asked.answer();
    }

    private void lookForAll() {
        for (List<Asked> all = next(); !all.isEmpty(); all = next()) {
            try {
                lookFor(all);
            } catch (RuntimeException | Error e) { // whoever waits behind them still has a turn
                all.forEach(each -> each.answer().completeExceptionally(e));
            }
        }
    }

    /** All who wait; when nobody does, nobody is busy any more. */
    private List<Asked> next() {
        synchronized (waiting) {
            List<Asked> all = new ArrayList<>(waiting);
            waiting.clear();
            busy = !all.isEmpty();
            return all;
        }
    }

    /** Whoever is not found is looked for among those who run after it was asked. */
    private void lookFor(List<Asked> all) {
        if (readAt.plus(KEPT).isBefore(clock.instant())) {
            read();
            all.forEach(each -> each.answer().complete(signer(each)));
            return;
        }
        List<Asked> missed = new ArrayList<>();
        for (Asked each : all) {
            signer(each)
                    .ifPresentOrElse(
                            id -> each.answer().complete(Optional.of(id)), () -> missed.add(each));
        }
        if (!missed.isEmpty()) {
            read();
            missed.forEach(each -> each.answer().complete(signer(each)));
        }
    }

    private Optional<SandboxId> signer(Asked asked) {
        return signers.entrySet().stream()
                .filter(each -> asked.candidate().isSignedWith(each.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private void read() {
        Instant now = clock.instant();
        Map<SandboxId, String> fresh = new HashMap<>();
        for (SandboxId id : sandboxes.runningElsewhere(here.id(), MOST)) {
            String token = signers.get(id);
            fresh.put(id, token == null ? tokens.access(id) : token);
        }
        signers = fresh;
        readAt = now;
    }
}
