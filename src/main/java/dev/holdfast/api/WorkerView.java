package dev.holdfast.api;

import dev.holdfast.fleet.Worker;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxState;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A node that runs sandboxes, or did.
 *
 * @param leaseUntil until when it is taken for reachable, unless it renews that
 * @param missing what it lacks to take sandboxes, in words
 * @param sandboxes how many have a machine there, or are to get one
 * @param drainingAt since when it is being drained; absent when it is not
 * @param staying what still runs on one that is being drained, the first hundred
 */
@Schema(
        name = "Worker",
        requiredProperties = {
            "id",
            "roles",
            "state",
            "startedAt",
            "leaseUntil",
            "missing",
            "sandboxes",
            "sandboxLimit",
            "staying"
        })
public record WorkerView(
        @Schema(examples = "worker-1") String id,
        List<String> roles,
        @Schema(enumeration = {"ready", "unfit", "draining", "drained", "unreachable", "lost"})
                String state,
        Instant startedAt,
        Instant leaseUntil,
        List<String> missing,
        long sandboxes,
        int sandboxLimit,
        Instant drainingAt,
        List<StayingView> staying) {

    private static final int MOST = 100;

    /**
     * A sandbox that a drain has not paused yet.
     *
     * @param why {@code generation_unsupported} of one that cannot be paused and stays to its end
     */
    @Schema(
            name = "StayingSandbox",
            requiredProperties = {"sandboxID", "lifecycleState", "why"})
    public record StayingView(
            @Schema(examples = "i3kq9v0x7c2m5n8p1r4t6") String sandboxID,
            @Schema(examples = "RUNNING") String lifecycleState,
            @Schema(enumeration = {"generation_unsupported", "waiting", "in_passage"}) String why) {

        static StayingView of(Sandbox sandbox) {
            return new StayingView(
                    sandbox.id().value(),
                    sandbox.state().name(),
                    !sandbox.canBePaused()
                            ? "generation_unsupported"
                            : sandbox.state() == SandboxState.RUNNING ? "waiting" : "in_passage");
        }
    }

    static WorkerView of(Worker worker, Instant now, long sandboxes, List<Sandbox> staying) {
        return new WorkerView(
                worker.id(),
                worker.roles(),
                worker.state(now).word(),
                worker.startedAt(),
                worker.leaseUntil(),
                worker.missing(),
                sandboxes,
                worker.sandboxLimit(),
                worker.drainingAt().orElse(null),
                staying.stream().limit(MOST).map(StayingView::of).toList());
    }
}
