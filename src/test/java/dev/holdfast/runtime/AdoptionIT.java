package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server finds after the one before it was killed, and what it leaves alone. */
@Timeout(300)
class AdoptionIT {
    private final Ground ground = Ground.fresh();
    private final Ground elsewhere = Ground.fresh();
    private RunscRuntime neighbour;
    private Machine untouched;

    @BeforeEach
    void aSecondInstanceOnTheSameHost() {
        neighbour = RunscRuntime.open(elsewhere.config(), Clock.systemUTC());
        neighbour.adopt(Set.of());
        untouched = neighbour.start(elsewhere.spec());
    }

    @AfterEach
    void theSecondInstanceIsUntouched() {
        try (var guest = new Guest(untouched)) {
            assertThat(guest.shell("echo well").text()).isEqualTo("well\n");
            assertThat(elsewhere.traces()).containsKey("namespaces");
        } finally {
            neighbour.close();
            Trees.remove(elsewhere.home());
            Trees.remove(ground.home());
        }
    }

    @Test
    void keepsWhatTheCallerNamesAndRemovesTheRest() {
        MachineId kept;
        MachineId dropped;
        try (var server = new DoomedServer(ground)) {
            kept = server.machine();
            dropped = server.machine();
        }
        RunscRuntime runtime = RunscRuntime.open(ground.config(), Clock.systemUTC());
        try {
            assertThat(runtime.running()).extracting(Machine::id).contains(kept, dropped);
            assertThatThrownBy(() -> runtime.start(ground.spec()))
                    .hasMessageContaining("not yet adopted");
            MachineId never = MachineId.random();
            assertThat(runtime.adopt(Set.of(kept, never)))
                    .extracting(Machine::id)
                    .containsExactly(kept);
            Machine machine = runtime.running().get(0);
            try (var guest = new Guest(machine)) {
                assertThat(guest.python("answer = total")).isEqualTo("42");
                assertThat(guest.shell("echo well").text()).isEqualTo("well\n");
            }
            assertThat(ground.traces().get("files"))
                    .noneMatch(file -> file.contains(dropped.value()));
            assertThat(ground.traces().get("groups"))
                    .noneMatch(group -> group.contains(dropped.value()));
            runtime.checkpoint(kept, ground.home().resolve("after"));
            runtime.kill(runtime.restore(ground.spec(), ground.home().resolve("after")).id());
            var ends = new CopyOnWriteArrayList<MachineEnd>();
            runtime.onEnd(ends::add);
            ProcessHandle.of(machine.pid()).orElseThrow().destroyForcibly();
            Ground.await("told", Duration.ofSeconds(5), () -> !ends.isEmpty());
        } finally {
            runtime.close();
        }
        assertNoTraces();
    }

    @Test
    void aKillAtAnyMomentLeavesNothingThatTheNextRunDoesNotFind() throws Exception {
        var random = new Random();
        for (int i = 0; i < (Ground.REPEAT < 10 ? 1 : 2) * Ground.REPEAT; i++) {
            long moment = random.nextInt(4000);
            MachineId kept;
            try (var server = new DoomedServer(ground)) {
                kept = server.machine();
                Thread.sleep(moment);
            }
            RunscRuntime runtime = RunscRuntime.open(ground.config(), Clock.systemUTC());
            try {
                assertThat(runtime.adopt(Set.of(kept))).as("after " + moment + " ms").hasSize(1);
                try (var guest = new Guest(runtime.running().get(0))) {
                    assertThat(guest.python("answer = total")).isEqualTo("42");
                }
            } finally {
                runtime.close();
            }
            assertNoTraces();
            Trees.children(ground.home()).forEach(Trees::remove);
        }
    }

    @Test
    void whatIsLeftOnPurposeIsThereForTheNextRun() {
        RunscRuntime first = RunscRuntime.open(ground.config(), Clock.systemUTC());
        first.adopt(Set.of());
        Machine machine = first.start(ground.spec());
        assertThatThrownBy(() -> RunscRuntime.open(ground.config(), Clock.systemUTC()))
                .hasMessageContaining("Another server");
        first.leave();
        RunscRuntime second = RunscRuntime.open(ground.config(), Clock.systemUTC());
        assertThat(second.adopt(Set.of(machine.id()))).containsExactly(machine);
        second.close();
        assertNoTraces();
    }

    private void assertNoTraces() {
        var traces = ground.traces();
        traces.remove("files");
        assertThat(traces).isEmpty();
    }
}
