package dev.holdfast.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a drain of its worker does to a sandbox, and what it leaves as it was. */
class DrainedTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(20);
    private static final UUID UPLOAD = UUID.randomUUID();
    private static final UUID IMAGE = UUID.randomUUID();

    @Test
    void keepsItsEndAndWakesOnTraffic() {
        Sandbox sandbox = drained();
        assertThat(sandbox.state()).isEqualTo(SandboxState.PAUSED);
        assertThat(sandbox.endAt()).isEqualTo(NOW.plusSeconds(60));
        assertThat(sandbox.wakesOnTraffic()).isTrue();

        sandbox.resume("worker-2", Optional.empty(), false, LATER);
        sandbox.claim("worker-2", "m2", "build");
        assertThat(sandbox.started("m2", Optional.empty(), LATER)).isTrue();

        assertThat(sandbox.endAt()).isEqualTo(NOW.plusSeconds(60));
        assertThat(sandbox.isDrained()).isFalse();
    }

    @Test
    void livesAnewWhenSomebodyAsksForALifetime() {
        Sandbox sandbox = drained();

        sandbox.resume("worker-2", Optional.of(Duration.ofSeconds(30)), false, LATER);
        sandbox.claim("worker-2", "m2", "build");
        sandbox.started("m2", Optional.empty(), LATER);

        assertThat(sandbox.endAt()).isEqualTo(LATER.plusSeconds(30));
    }

    @Test
    void wakesWithTheNextRequestWhenItCouldNotGoOn() {
        Sandbox sandbox = drained();

        sandbox.resume("worker-2", Optional.empty(), false, LATER);
        sandbox.notStarted("no room", LATER);

        assertThat(sandbox.wakesOnTraffic()).isTrue();
        assertThat(sandbox.endAt()).isEqualTo(NOW.plusSeconds(60));
    }

    @Test
    void takesATimeoutAsIfItRan() {
        Sandbox sandbox = drained();

        sandbox.setLifetime(Duration.ofMinutes(5), LATER);

        assertThat(sandbox.endAt()).isEqualTo(LATER.plusSeconds(300));
        assertThat(sandbox.isOverdue(LATER.plusSeconds(299))).isFalse();
        assertThat(sandbox.isOverdue(LATER.plusSeconds(300))).isTrue();
    }

    @Test
    void staysPausedWhenSomebodyWantsThat() {
        Sandbox sandbox = drained();

        sandbox.keepPaused(LATER);

        assertThat(sandbox.wakesOnTraffic()).isFalse();
        assertThat(sandbox.endAt()).isEqualTo(LATER);
        assertThat(sandbox.isOverdue(LATER)).isFalse();
    }

    @Test
    void runsAsBeforeWhenItCouldNotBePaused() {
        Sandbox sandbox = running();
        sandbox.beginDrain(UPLOAD, NOW);

        sandbox.endCapture(UPLOAD, NOW);

        assertThat(sandbox.state()).isEqualTo(SandboxState.RUNNING);
        assertThat(sandbox.isDrained()).isFalse();
        assertThat(sandbox.wakesOnTraffic()).isFalse();
    }

    private static Sandbox drained() {
        Sandbox sandbox = running();
        sandbox.beginDrain(UPLOAD, NOW);
        sandbox.paused(UPLOAD, IMAGE, NOW);
        return sandbox;
    }

    private static Sandbox running() {
        Sandbox sandbox = Ordered.fresh(2, NOW.minusSeconds(5));
        sandbox.claim("worker-1", "m1", "build");
        sandbox.started("m1", Optional.empty(), NOW);
        return sandbox;
    }
}
