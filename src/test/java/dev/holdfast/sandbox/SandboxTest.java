package dev.holdfast.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.template.Size;
import dev.holdfast.template.TemplateId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SandboxTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final UUID UPLOAD = UUID.randomUUID();

    @Test
    void isClaimedOnceSoThatARedeliveryStartsNothing() {
        Sandbox sandbox = ordered();

        assertThat(sandbox.claim("m1", "build")).isTrue();
        assertThat(sandbox.claim("m2", "build")).isFalse();
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
        sandbox.beginCapture(UPLOAD);

        assertThatThrownBy(() -> sandbox.beginCapture(UUID.randomUUID()))
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
        sandbox.beginCapture(UPLOAD);

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
        sandbox.beginCapture(UPLOAD);
        sandbox.endCapture(UPLOAD);

        sandbox.kill("key:x", NOW);

        assertThat(sandbox.state()).isEqualTo(SandboxState.ENDED);
        assertThat(sandbox.endReason()).contains(EndReason.KILLED);
    }

    @Test
    void isNotFreedByTheEndOfAnotherCapture() {
        Sandbox sandbox = running();
        sandbox.beginCapture(UPLOAD);

        sandbox.endCapture(UUID.randomUUID());

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
    void isDueOnlyWhenItRunsAndItsTimeIsOver() {
        Sandbox sandbox = running();
        Instant over = NOW.plusSeconds(60);

        assertThat(sandbox.isDue(over.minusMillis(1))).isFalse();
        assertThat(sandbox.isDue(over)).isTrue();
        sandbox.beginCapture(UPLOAD);
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

    private static Sandbox running() {
        Sandbox sandbox = ordered();
        sandbox.claim("m1", "build");
        sandbox.started(NOW);
        return sandbox;
    }

    private static Sandbox ordered() {
        return new Sandbox(
                new SandboxOrder(
                        SandboxId.random(),
                        new ProjectId(UUID.randomUUID()),
                        new TemplateId("base"),
                        "0".repeat(64),
                        Optional.empty(),
                        new Size(2, 512, 1024),
                        Map.of(),
                        new SandboxChoices(
                                Duration.ofSeconds(60), true, NetworkPolicy.DEFAULT, Map.of()),
                        "key:x"),
                "worker-1",
                NOW.minusSeconds(5));
    }
}
