package dev.holdfast.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.event.EventType;
import dev.holdfast.event.Notice;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.template.TemplateId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A snapshot takes the place of a sandbox's state: every way through, and back. */
class ReplacementTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final UUID UPLOAD = UUID.randomUUID();
    private static final UUID ORIGIN = UUID.randomUUID();
    private static final UUID TARGET = UUID.randomUUID();
    private static final UUID BEFORE = UUID.randomUUID();

    @Test
    void runsFromTheSnapshotUnderItsIdUntilTheMomentItHad() {
        Sandbox sandbox = running();
        Instant end = sandbox.endAt();
        sandbox.beginReplacement(UPLOAD, target(), NOW);

        assertThat(sandbox.isStoppedFor(UPLOAD)).isTrue();
        assertThat(sandbox.snapshot()).as("it occupies both").contains(ORIGIN);
        assertThat(sandbox.image()).contains(TARGET);

        assertThat(sandbox.replace(UPLOAD, BEFORE, NOW.plusSeconds(1))).isTrue();
        assertThat(sandbox.state()).isEqualTo(SandboxState.RESUMING);
        assertThat(sandbox.worker()).isEqualTo("worker-2");
        assertThat(sandbox.machine()).as("the old machine is nobody's").isEmpty();
        assertThat(sandbox.snapshot()).as("the former one is free").contains(BEFORE);

        assertThat(sandbox.claim("worker-2", "m2", "build")).isTrue();
        assertThat(sandbox.goesOnFrom(TARGET)).isTrue();
        sandbox.take(
                new Body(
                        TARGET,
                        new TemplateId("other"),
                        "1".repeat(64),
                        Ordered.SIZE,
                        List.of(),
                        Map.of("A", "b")));
        assertThat(sandbox.started("m2", Optional.empty(), NOW.plusSeconds(2))).isTrue();
        assertThat(sandbox.state()).isEqualTo(SandboxState.RUNNING);
        assertThat(sandbox.snapshot()).contains(TARGET);
        assertThat(sandbox.parent()).contains(TARGET);
        assertThat(sandbox.image()).isEmpty();
        assertThat(sandbox.isReplaced()).isFalse();
        assertThat(sandbox.template().value()).isEqualTo("other");
        assertThat(sandbox.endAt()).isEqualTo(end);
        assertThat(told(sandbox))
                .containsExactly(
                        EventType.SANDBOX_RESTORING,
                        EventType.SANDBOX_RESUMING,
                        EventType.SANDBOX_RESTORED);
    }

    @Test
    void runsAsBeforeWhenItsStateCannotBeKept() {
        Sandbox sandbox = running();
        sandbox.beginReplacement(UPLOAD, target(), NOW);

        sandbox.endCapture(UPLOAD, NOW);

        assertThat(sandbox.state()).isEqualTo(SandboxState.RUNNING);
        assertThat(sandbox.machine()).contains("m1");
        assertThat(sandbox.image()).as("the snapshot is free").isEmpty();
        assertThat(sandbox.isToReboot()).isFalse();
        assertThat(sandbox.isReplaced()).isFalse();
        assertThat(sandbox.replace(UPLOAD, BEFORE, NOW)).as("a seal that comes late").isFalse();
        assertThat(told(sandbox))
                .containsExactly(EventType.SANDBOX_RESTORING, EventType.SANDBOX_RESTORE_FAILED);
    }

    @Test
    void goesOnFromTheStateBeforeWhenTheSnapshotCannotBeStarted() {
        Sandbox sandbox = replacing();
        sandbox.claim("worker-2", "m2", "build");

        assertThat(sandbox.lostMachine("m2", EndReason.FAILED, "bad part", NOW)).isTrue();
        assertThat(sandbox.state()).isEqualTo(SandboxState.RESUMING);
        assertThat(sandbox.image()).contains(BEFORE);
        assertThat(sandbox.worker()).as("where it ran before").isEqualTo("worker-1");
        assertThat(sandbox.isToReboot()).isFalse();
        assertThat(sandbox.isReplaced()).isFalse();
        assertThat(sandbox.started("m2", Optional.empty(), NOW)).as("nobody's machine").isFalse();

        assertThat(sandbox.claim("worker-1", "m3", "build")).isTrue();
        assertThat(sandbox.started("m3", Optional.empty(), NOW)).isTrue();
        assertThat(sandbox.snapshot()).contains(BEFORE);
        assertThat(sandbox.endDetail()).contains("bad part");
        assertThat(told(sandbox))
                .containsExactly(
                        EventType.SANDBOX_RESTORING,
                        EventType.SANDBOX_RESUMING,
                        EventType.SANDBOX_RESTORE_FAILED,
                        EventType.SANDBOX_RESUMED);
        sandbox.beginCapture(UPLOAD, NOW);
        assertThat(sandbox.endDetail()).as("told").isEmpty();
    }

    @Test
    void isPausedWithTheStateBeforeWhenThatCannotBeStartedEither() {
        Sandbox sandbox = replacing();
        sandbox.notStarted("bad part", NOW);
        sandbox.notStarted("no room", NOW);

        assertThat(sandbox.state()).isEqualTo(SandboxState.PAUSED);
        assertThat(sandbox.image()).contains(BEFORE);
        sandbox.resume("worker-3", Optional.of(Duration.ofSeconds(30)), false, NOW);
        sandbox.claim("worker-3", "m4", "build");
        assertThat(sandbox.started("m4", Optional.empty(), NOW)).isTrue();
        assertThat(sandbox.endAt()).isEqualTo(NOW.plusSeconds(30));
        assertThat(sandbox.snapshot()).contains(BEFORE);
    }

    @Test
    void isPausedWithTheStateBeforeWhenTheOtherWorkerIsLostOrStopped() {
        Sandbox lost = replacing();
        assertThat(lost.lose("worker-2", NOW)).isTrue();
        Sandbox stopped = replacing();
        stopped.stayPaused("the worker was stopped", NOW);

        for (Sandbox each : List.of(lost, stopped)) {
            assertThat(each.state()).isEqualTo(SandboxState.PAUSED);
            assertThat(each.image()).contains(BEFORE);
            assertThat(each.isReplaced()).isFalse();
            assertThat(told(each)).endsWith(EventType.SANDBOX_RESTORE_FAILED);
        }
    }

    @Test
    void isBusyForEverybodyElseAndEndsWhenItHasTo() {
        for (Sandbox each : List.of(stopping(), replacing())) {
            for (Runnable act :
                    List.<Runnable>of(
                            () -> each.beginReplacement(UUID.randomUUID(), target(), NOW),
                            () -> each.beginCapture(UUID.randomUUID(), NOW),
                            () -> each.beginPause(UUID.randomUUID(), NOW),
                            () -> each.kill("key:x", NOW),
                            () -> each.setLifetime(Duration.ofSeconds(5), NOW))) {
                assertThatThrownBy(act::run)
                        .isInstanceOfSatisfying(
                                Problem.class,
                                problem ->
                                        assertThat(problem.reason())
                                                .isEqualTo(Reason.SANDBOX_BUSY));
            }
            assertThat(each.paused(UPLOAD, BEFORE, NOW)).as("it is no pause").isFalse();
            assertThat(each.end(EndReason.OUT_OF_MEMORY, null, "system", NOW)).isTrue();
            assertThat(each.image()).isEmpty();
            assertThat(each.isReplaced()).isFalse();
            assertThat(each.replace(UPLOAD, BEFORE, NOW)).isFalse();
        }
    }

    private static List<EventType> told(Sandbox sandbox) {
        return sandbox.takeEvent().notices().stream().map(Notice::type).toList();
    }

    private static Sandbox replacing() {
        Sandbox sandbox = stopping();
        sandbox.replace(UPLOAD, BEFORE, NOW);
        return sandbox;
    }

    private static Sandbox stopping() {
        Sandbox sandbox = running();
        sandbox.beginReplacement(UPLOAD, target(), NOW);
        return sandbox;
    }

    private static Replacement target() {
        return new Replacement(TARGET, true, "worker-2");
    }

    private static Sandbox running() {
        Sandbox sandbox = Ordered.from(ORIGIN, NOW.minusSeconds(5));
        sandbox.claim("worker-1", "m1", "build");
        sandbox.started("m1", Optional.empty(), NOW.minusSeconds(4));
        sandbox.takeEvent();
        return sandbox;
    }
}
