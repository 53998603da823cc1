package dev.holdfast.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SandboxTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final UUID IMAGE = UUID.randomUUID();
    private static final UUID UPLOAD = UUID.randomUUID();

    @Test
    void isClaimedOnceSoThatARedeliveryStartsNothing() {
        Sandbox sandbox = ordered();

        assertThat(sandbox.claim("worker-1", "m1", "build")).isTrue();
        assertThat(sandbox.claim("worker-1", "m2", "build")).isFalse();
        assertThat(sandbox.machine()).contains("m1");
    }

    @Test
    void livesFromTheMomentItRuns() {
        Sandbox sandbox = running();

        assertThat(sandbox.endAt()).isEqualTo(NOW.plusSeconds(60));
    }

    @Test
    @Tag("R96")
    @Tag("R97")
    void refusesASecondCaptureAndNamesTheFirst() {
        Sandbox sandbox = running();
        sandbox.beginCapture(UPLOAD, NOW);

        assertThatThrownBy(() -> sandbox.beginCapture(UUID.randomUUID(), NOW))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> {
                            assertThat(problem.reason()).isEqualTo(Reason.SANDBOX_BUSY);
                            assertThat(problem.members())
                                    .containsEntry("uploadId", UPLOAD.toString());
                        });
    }

    @Test
    @Tag("R101")
    void cannotBeKilledWhileItIsCaptured() {
        Sandbox sandbox = running();
        sandbox.beginCapture(UPLOAD, NOW);

        assertThatThrownBy(() -> sandbox.kill("key:x", NOW))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> assertThat(problem.reason()).isEqualTo(Reason.SANDBOX_BUSY));
        assertThat(sandbox.state()).isEqualTo(SandboxState.SNAPSHOTTING);
    }

    @Test
    @Tag("R102")
    @Tag("R162")
    void canBeKilledOnceItsCaptureIsOver() {
        Sandbox sandbox = running();
        sandbox.beginCapture(UPLOAD, NOW);
        sandbox.endCapture(UPLOAD, NOW);

        sandbox.kill("key:x", NOW);

        assertThat(sandbox.state()).isEqualTo(SandboxState.ENDED);
        assertThat(sandbox.endReason()).contains(EndReason.KILLED);
    }

    @Test
    void isNotFreedByTheEndOfAnotherCapture() {
        Sandbox sandbox = running();
        sandbox.beginCapture(UPLOAD, NOW);

        sandbox.endCapture(UUID.randomUUID(), NOW);

        assertThat(sandbox.state()).isEqualTo(SandboxState.SNAPSHOTTING);
    }

    @Test
    void endsOnceAndKeepsTheFirstReason() {
        Sandbox sandbox = running();

        assertThat(sandbox.end(EndReason.OUT_OF_MEMORY, null, "system", NOW)).isTrue();
        assertThat(sandbox.end(EndReason.TIMEOUT, null, "system", NOW)).isFalse();
        assertThat(sandbox.endReason()).contains(EndReason.OUT_OF_MEMORY);
    }

    @Test
    @Tag("F16")
    void endsWithItsLastCaptureWhateverComesOfIt() {
        Sandbox sandbox = running();
        sandbox.beginParting(UPLOAD, EndReason.KILLED, "key:x", NOW);

        assertThat(sandbox.state()).isEqualTo(SandboxState.PAUSING);
        assertThat(sandbox.takeEvent().notices())
                .extracting(notice -> notice.type().word())
                .endsWith("sandbox.capture_started");
        assertThatThrownBy(() -> sandbox.kill("key:y", NOW)).isInstanceOf(Problem.class);
        sandbox.endCapture(UUID.randomUUID(), NOW);
        assertThat(sandbox.state()).isEqualTo(SandboxState.PAUSING);

        sandbox.endCapture(UPLOAD, NOW);
        assertThat(sandbox.state()).isEqualTo(SandboxState.ENDED);
        assertThat(sandbox.endReason()).contains(EndReason.KILLED);
        assertThat(sandbox.endedBy()).contains("key:x");
        assertThat(sandbox.isKilledWithCapture()).isTrue();
    }

    @Test
    @Tag("F5")
    void endsForTheReasonThatItWasCapturedForWhateverComesBetween() {
        Sandbox sandbox = running();
        sandbox.beginParting(UPLOAD, EndReason.TIMEOUT, "system", NOW);

        sandbox.lostMachine("m1", EndReason.FAILED, "its machine is gone", NOW);

        assertThat(sandbox.endReason()).contains(EndReason.TIMEOUT);
        assertThat(sandbox.isParting()).isFalse();
        assertThat(sandbox.isKilledWithCapture()).isFalse();
    }

    @Test
    void isDueOnlyWhenItRunsAndItsTimeIsOver() {
        Sandbox sandbox = running();
        Instant over = NOW.plusSeconds(60);

        assertThat(sandbox.isDue(over.minusMillis(1))).isFalse();
        assertThat(sandbox.isDue(over)).isTrue();
        sandbox.beginCapture(UPLOAD, NOW);
        assertThat(sandbox.isDue(over)).isFalse();
    }

    @Test
    void isNeverShortenedByAConnect() {
        Sandbox sandbox = running();

        sandbox.extend(Duration.ofSeconds(10), NOW);
        assertThat(sandbox.endAt()).isEqualTo(NOW.plusSeconds(60));
        sandbox.extend(Duration.ofSeconds(600), NOW);
        assertThat(sandbox.endAt()).isEqualTo(NOW.plusSeconds(600));
        sandbox.setLifetime(Duration.ofSeconds(5), NOW);
        assertThat(sandbox.endAt()).isEqualTo(NOW.plusSeconds(5));
    }

    @Test
    void isGoneOnlyWhenItsMachineIs() {
        Sandbox sandbox = running();
        sandbox.gone();
        assertThat(sandbox.isGone()).isFalse();

        sandbox.kill("key:x", NOW);
        assertThat(sandbox.isGone()).isFalse();
        sandbox.gone();
        assertThat(sandbox.isGone()).isTrue();
    }

    @Test
    @Tag("R95")
    @Tag("R168")
    void canNeitherBeCapturedNorPausedAgainWhileItIsPaused() {
        Sandbox sandbox = paused();

        for (Runnable act :
                List.<Runnable>of(
                        () -> sandbox.beginCapture(UPLOAD, NOW),
                        () -> sandbox.beginPause(UPLOAD, NOW))) {
            assertThatThrownBy(act::run)
                    .isInstanceOfSatisfying(
                            Problem.class,
                            problem ->
                                    assertThat(problem.reason())
                                            .isEqualTo(Reason.SANDBOX_NOT_RUNNING));
        }
    }

    @Test
    @Tag("F1")
    void goesOnFromTheStateOfItsLastPause() {
        Sandbox sandbox = paused();
        assertThat(sandbox.image()).contains(IMAGE);
        assertThat(sandbox.machine()).isEmpty();
        assertThat(sandbox.endAt()).isEqualTo(NOW);

        sandbox.resume("worker-2", Optional.of(Duration.ofSeconds(30)), false, NOW);
        assertThat(sandbox.claim("worker-1", "m2", "build")).isFalse();
        assertThat(sandbox.claim("worker-2", "m2", "build")).isTrue();
        assertThat(sandbox.started("m2", Optional.empty(), NOW)).isTrue();

        assertThat(sandbox.state()).isEqualTo(SandboxState.RUNNING);
        assertThat(sandbox.endAt()).isEqualTo(NOW.plusSeconds(30));
        assertThat(sandbox.image()).isEmpty();
    }

    @Test
    @Tag("F3")
    void isPausedAsBeforeWhenItCouldNotGoOn() {
        Sandbox sandbox = paused();
        sandbox.resume("worker-1", Optional.of(Duration.ofSeconds(30)), false, NOW);
        sandbox.claim("worker-1", "m2", "build");

        assertThat(sandbox.notStarted("no room", NOW)).isTrue();

        assertThat(sandbox.state()).isEqualTo(SandboxState.PAUSED);
        assertThat(sandbox.image()).contains(IMAGE);
        assertThat(sandbox.endDetail()).contains("no room");
        assertThat(sandbox.started("m2", Optional.empty(), NOW)).isFalse();
    }

    @Test
    void isNotStartedByAMachineThatCameTooLate() {
        Sandbox sandbox = paused();
        sandbox.resume("worker-1", Optional.of(Duration.ofSeconds(30)), false, NOW);
        sandbox.claim("worker-1", "m2", "build");
        sandbox.notStarted("too slow", NOW);
        sandbox.resume("worker-1", Optional.of(Duration.ofSeconds(30)), false, NOW);
        sandbox.claim("worker-1", "m3", "build");

        assertThat(sandbox.started("m2", Optional.empty(), NOW)).isFalse();
        assertThat(sandbox.started("m3", Optional.empty(), NOW)).isTrue();
    }

    @Test
    @Tag("F1")
    void staysPausedWhenItsOldMachineIsFoundGone() {
        Sandbox sandbox = paused();

        assertThat(sandbox.lostMachine("m1", EndReason.FAILED, "gone", NOW)).isFalse();
        assertThat(sandbox.state()).isEqualTo(SandboxState.PAUSED);

        sandbox.resume("worker-1", Optional.of(Duration.ofSeconds(30)), false, NOW);
        assertThat(sandbox.lostMachine("m1", EndReason.OUT_OF_MEMORY, null, NOW)).isFalse();
        sandbox.claim("worker-1", "m2", "build");
        assertThat(sandbox.lostMachine("m1", EndReason.OUT_OF_MEMORY, null, NOW)).isFalse();
        assertThat(sandbox.started("m2", Optional.empty(), NOW)).isTrue();
    }

    @Test
    @Tag("F3")
    void isPausedAsBeforeWhenTheMachineItWasToGoOnWithIsLost() {
        Sandbox sandbox = paused();
        sandbox.resume("worker-1", Optional.of(Duration.ofSeconds(30)), false, NOW);
        sandbox.claim("worker-1", "m2", "build");

        assertThat(sandbox.lostMachine("m2", EndReason.OUT_OF_MEMORY, null, NOW)).isTrue();

        assertThat(sandbox.state()).isEqualTo(SandboxState.PAUSED);
        assertThat(sandbox.image()).contains(IMAGE);
        assertThat(sandbox.endDetail()).contains(EndReason.OUT_OF_MEMORY.words());
    }

    @Test
    void endsWithTheMachineThatItRunsOn() {
        Sandbox sandbox = running();

        assertThat(sandbox.lostMachine("m1", EndReason.FAILED, "gone", NOW)).isTrue();

        assertThat(sandbox.state()).isEqualTo(SandboxState.ENDED);
        assertThat(sandbox.endReason()).contains(EndReason.FAILED);
    }

    @Test
    @Tag("F5")
    void isLostOnlyByTheWorkerThatHasIt() {
        Sandbox sandbox = paused();
        sandbox.resume("worker-2", Optional.of(Duration.ofSeconds(30)), false, NOW);
        sandbox.claim("worker-2", "m2", "build");
        sandbox.started("m2", Optional.empty(), NOW);

        assertThat(sandbox.lose("worker-1", NOW)).isFalse();
        assertThat(sandbox.state()).isEqualTo(SandboxState.RUNNING);

        assertThat(sandbox.lose("worker-2", NOW)).isTrue();
        assertThat(sandbox.endReason()).contains(EndReason.WORKER_LOST);
    }

    @Test
    void livesAsLongAsBeforeWhenThePauseForIdlenessFailed() {
        Sandbox sandbox = running();
        sandbox.beginPause(UPLOAD, NOW.plusSeconds(20));

        sandbox.endCapture(UPLOAD, NOW.plusSeconds(21));

        assertThat(sandbox.endAt()).isEqualTo(NOW.plusSeconds(60));
    }

    @Test
    void runsOnForAWhileWhenThePauseAtItsTimeoutFailed() {
        Sandbox sandbox = running();
        Instant over = NOW.plusSeconds(61);
        sandbox.beginPause(UPLOAD, over);

        sandbox.endCapture(UPLOAD, over);

        assertThat(sandbox.state()).isEqualTo(SandboxState.RUNNING);
        assertThat(sandbox.isDue(over.plusSeconds(59))).isFalse();
        assertThat(sandbox.isDue(over.plusSeconds(60))).isTrue();
    }

    @Test
    void isNotPausedAfterItEnded() {
        Sandbox sandbox = running();
        sandbox.beginPause(UPLOAD, NOW);
        sandbox.end(EndReason.OUT_OF_MEMORY, null, "system", NOW);

        assertThat(sandbox.paused(UPLOAD, IMAGE, NOW)).isFalse();
        assertThat(sandbox.image()).isEmpty();
    }

    @Test
    @Tag("R168")
    void hasNoTimeoutToSetWhileItIsPaused() {
        Sandbox sandbox = paused();

        assertThatThrownBy(() -> sandbox.setLifetime(Duration.ofSeconds(5), NOW))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem ->
                                assertThat(problem.reason()).isEqualTo(Reason.SANDBOX_NOT_FOUND));
    }

    @Test
    @Tag("R75")
    void ofTheFirstGenerationIsNotTakenForACaptureOrAPause() {
        Sandbox sandbox = ordered(1);
        sandbox.claim("worker-1", "m1", null);
        sandbox.started("m1", Optional.empty(), NOW);

        assertThatThrownBy(() -> sandbox.beginCapture(UPLOAD, NOW))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem ->
                                assertThat(problem.reason())
                                        .isEqualTo(Reason.GENERATION_UNSUPPORTED));
        assertThatThrownBy(() -> sandbox.beginPause(UPLOAD, NOW))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem ->
                                assertThat(problem.reason()).isEqualTo(Reason.PAUSE_UNSUPPORTED));
        assertThat(sandbox.state()).isEqualTo(SandboxState.RUNNING);
        assertThat(sandbox.upload()).isEmpty();
    }

    private static Sandbox paused() {
        Sandbox sandbox = running();
        sandbox.beginPause(UPLOAD, NOW);
        sandbox.paused(UPLOAD, IMAGE, NOW);
        return sandbox;
    }

    private static Sandbox running() {
        Sandbox sandbox = ordered();
        sandbox.claim("worker-1", "m1", "build");
        sandbox.started("m1", Optional.empty(), NOW);
        return sandbox;
    }

    private static Sandbox ordered() {
        return ordered(2);
    }

    private static Sandbox ordered(int generation) {
        return Ordered.fresh(generation, NOW.minusSeconds(5));
    }
}
