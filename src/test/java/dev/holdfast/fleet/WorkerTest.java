package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.role.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkerTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Instant LATER = NOW.plusSeconds(16);

    @Test
    void isReadyForAsLongAsItsLeaseLasts() {
        Worker worker = ready();

        assertThat(worker.state(NOW.plusSeconds(14))).isEqualTo(WorkerState.READY);
        assertThat(worker.state(NOW.plus(LEASE))).isEqualTo(WorkerState.UNREACHABLE);
        worker.renew(LATER, LEASE);
        assertThat(worker.state(LATER)).isEqualTo(WorkerState.READY);
    }

    @Test
    void takesNothingWhileItLacksSomethingOrIsDrained() {
        Worker worker = ready();
        assertThat(worker.isOpen()).isTrue();

        worker.lack("there is no runtime build");
        assertThat(worker.isOpen()).isFalse();
        assertThat(worker.state(NOW)).isEqualTo(WorkerState.UNFIT);

        worker.lack("");
        assertThat(worker.drain(NOW)).isTrue();
        assertThat(worker.drain(LATER)).as("told once").isFalse();
        assertThat(worker.drainingAt()).contains(NOW);
        assertThat(worker.isOpen()).isFalse();
        assertThat(worker.state(NOW)).isEqualTo(WorkerState.DRAINING);
        assertThat(worker.drained(NOW)).isTrue();
        assertThat(worker.drained(NOW)).as("told once").isFalse();
        assertThat(worker.state(NOW)).isEqualTo(WorkerState.DRAINED);

        assertThat(worker.undrain()).isTrue();
        assertThat(worker.undrain()).isFalse();
        assertThat(worker.drained(NOW)).as("not being drained").isFalse();
        assertThat(worker.isOpen()).isTrue();
    }

    @Test
    void isDrainedAsBeforeWhenItBeginsAnew() {
        Worker worker = ready();
        worker.drain(NOW);
        worker.drained(NOW);

        worker.begin("aaaa", Set.of(Role.WORKER), LATER, LEASE);

        assertThat(worker.state(LATER)).isEqualTo(WorkerState.DRAINED);
        assertThat(worker.undrain()).isTrue();
        assertThat(worker.state(LATER)).isEqualTo(WorkerState.READY);
        assertThat(worker.roles()).containsExactly("worker");
    }

    @Test
    void tellsTheOneThatHadTheNameBefore() {
        Worker worker = ready();
        long first = worker.incarnation();
        assertThat(worker.judge(first)).isEqualTo(Renewal.DONE);

        worker.begin("aaaa", Set.of(Role.WORKER), LATER, LEASE);

        assertThat(worker.judge(first)).isEqualTo(Renewal.TAKEN);
        assertThat(worker.judge(worker.incarnation())).isEqualTo(Renewal.DONE);
    }

    @Test
    void isHeldAgainstAnotherInstallationForAsLongAsItsLeaseLasts() {
        Worker worker = ready();

        assertThat(worker.isHeldAgainst("aaaa", NOW)).as("a start after a kill").isFalse();
        assertThat(worker.isHeldAgainst("bbbb", NOW)).isTrue();
        assertThat(worker.isHeldAgainst("bbbb", LATER)).isFalse();

        worker.withdraw(NOW, "the worker was stopped");
        assertThat(worker.isHeldAgainst("bbbb", NOW)).isFalse();
        assertThat(worker.miss(LATER)).as("a stop is meant").isFalse();
    }

    @Test
    void renewsNothingThatWasGivenUpUntilItBeginsAnew() {
        Worker worker = ready();
        assertThat(worker.miss(LATER)).isTrue();
        assertThat(worker.miss(LATER)).as("told once").isFalse();
        assertThat(worker.isMissedSince(NOW)).as("not for long").isFalse();
        assertThat(worker.isMissedSince(LATER)).isTrue();
        assertThat(worker.lose(LATER)).isTrue();
        assertThat(worker.lose(LATER)).as("told once").isFalse();

        assertThat(worker.judge(worker.incarnation())).isEqualTo(Renewal.LOST);
        assertThat(worker.state(LATER)).isEqualTo(WorkerState.LOST);

        worker.begin("aaaa", Set.of(Role.WORKER), LATER, LEASE);
        assertThat(worker.judge(worker.incarnation())).isEqualTo(Renewal.DONE);
        assertThat(worker.state(LATER)).isEqualTo(WorkerState.READY);
        assertThat(worker.isBack()).as("its start is told instead").isFalse();
    }

    private static Worker ready() {
        Worker worker = new Worker("w");
        worker.begin("aaaa", Set.of(Role.values()), NOW, LEASE);
        worker.announce(
                new Offer(
                        "w",
                        List.of(),
                        Optional.empty(),
                        Optional.empty(),
                        "none",
                        "amd64",
                        List.of(),
                        List.of(1),
                        List.of(1),
                        10));
        return worker;
    }
}
