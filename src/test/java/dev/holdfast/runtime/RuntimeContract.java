package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every runtime must do, whatever it runs machines with. */
@Timeout(180)
abstract class RuntimeContract {
    static final Duration SOON = Duration.ofSeconds(10);

    abstract SandboxRuntime runtime();

    abstract MachineSpec spec();

    abstract MachineSpec spec(MachineSpec.Limits limits);

    @AfterEach
    void endAll() {
        runtime().running().forEach(machine -> runtime().kill(machine.id()));
    }

    @Test
    void runsAMachineThatAnswers() {
        Machine machine = runtime().start(spec());
        try (var guest = new Guest(machine)) {
            assertThat(guest.shell("id -u; hostname").text()).isEqualTo("0\nmachine\n");
        }
        assertThat(runtime().running()).contains(machine);
    }

    @Test
    void aMachineIsGoneWhenKillReturns() {
        Machine machine = runtime().start(spec());
        runtime().kill(machine.id());
        assertThat(Registration.bornAt(machine.pid())).isEmpty();
        assertThat(runtime().running()).isEmpty();
        runtime().kill(machine.id());
        runtime().kill(MachineId.random());
        assertThatThrownBy(() -> runtime().pause(machine.id())).satisfies(this::gone);
        Ground.await("its directory is gone", SOON, () -> !Files.exists(machine.directory()));
    }

    @Test
    void manyKillsAtOnceAllReturnAfterTheEnd() {
        Machine machine = runtime().start(spec());
        atOnce(
                4,
                i -> {
                    runtime().kill(machine.id());
                    assertThat(Registration.bornAt(machine.pid())).isEmpty();
                    return i;
                });
    }

    @Test
    void refusesAnIdThatIsInUse() {
        Machine machine = runtime().start(spec());
        MachineSpec same =
                new MachineSpec(
                        machine.id(),
                        spec().generation(),
                        spec().build(),
                        spec().template(),
                        spec().limits(),
                        Egress.EVERYTHING,
                        "machine",
                        Guest.commandLine());
        assertThatThrownBy(() -> runtime().start(same))
                .satisfies(failure -> reason(failure, MachineFailure.Reason.EXISTS));
        try (var guest = new Guest(machine)) {
            assertThat(guest.shell("echo still").text()).isEqualTo("still\n");
        }
    }

    @Test
    void pausedStandsStillAndResumesWhereItWas() throws Exception {
        Machine machine = runtime().start(spec());
        try (var guest = new Guest(machine)) {
            guest.shell("(while :; do date +%N > /run/beat; sleep 0.01; done) >/dev/null 2>&1 &");
            runtime().pause(machine.id());
            runtime().pause(machine.id());
            long still = runtime().usage(machine.id()).cpu().toMillis();
            Thread.sleep(500);
            assertThat(runtime().usage(machine.id()).cpu().toMillis() - still).isLessThan(150);
            runtime().resume(machine.id());
            runtime().resume(machine.id());
            assertThat(guest.shell("echo on").text()).isEqualTo("on\n");
        }
    }

    @Test
    void aKillDuringAStartWinsAndLeavesNothing() throws Exception {
        int[] delays = {0, 30, 80, 150, 220, 300, 400, 550};
        for (int i = 0; i < Math.max(Ground.REPEAT, delays.length); i++) {
            MachineSpec spec = spec();
            var starting = CompletableFuture.supplyAsync(() -> runtime().start(spec));
            Thread.sleep(delays[i % delays.length]);
            runtime().kill(spec.id());
            try {
                Machine machine = starting.join();
                // Killed before it was known, or after it was whole.
                runtime().kill(machine.id());
            } catch (CompletionException e) {
                gone(e.getCause());
            }
            assertThat(runtime().running()).isEmpty();
        }
    }

    @Test
    void aFailedStartLeavesNothing() {
        MachineSpec good = spec();
        MachineSpec bad =
                new MachineSpec(
                        good.id(),
                        good.generation(),
                        good.build(),
                        good.template(),
                        good.limits(),
                        Egress.EVERYTHING,
                        "machine",
                        List.of("/no/such/program"));
        assertThatThrownBy(() -> runtime().start(bad))
                .hasMessageContaining("/no/such/program")
                .satisfies(failure -> reason(failure, MachineFailure.Reason.FAILED));
        assertThat(runtime().running()).isEmpty();
        runtime().kill(runtime().start(good).id());
    }

    @Test
    void tellsOnceThatAMachineEndedByItself() {
        var ends = new CopyOnWriteArrayList<MachineEnd>();
        runtime().onEnd(ends::add);
        Machine machine = runtime().start(spec());
        ProcessHandle.of(machine.pid()).orElseThrow().destroyForcibly();
        Ground.await("told", SOON, () -> !of(machine, ends).isEmpty());
        assertThat(of(machine, ends))
                .extracting(MachineEnd::reason)
                .containsExactly(MachineEnd.Reason.FAILED);
        Ground.await("its directory is gone", SOON, () -> !Files.exists(machine.directory()));
    }

    @Test
    void memoryShortageEndsTheMachineWithinSeconds() {
        var ends = new CopyOnWriteArrayList<MachineEnd>();
        runtime().onEnd(ends::add);
        Machine other = runtime().start(spec());
        Machine machine =
                runtime().start(spec(new MachineSpec.Limits(192 * Ground.MIB, 2, 64, 256 << 20)));
        try (var guest = new Guest(machine);
                var neighbour = new Guest(other)) {
            guest.tell("python3 -c 'x=[]\nwhile 1: x.append(bytes(1<<20))'", 0);
            Ground.await("told", SOON, () -> !of(machine, ends).isEmpty());
            assertThat(of(machine, ends))
                    .extracting(MachineEnd::reason)
                    .containsExactly(MachineEnd.Reason.OUT_OF_MEMORY);
            assertThat(neighbour.shell("echo well").text()).isEqualTo("well\n");
        }
    }

    @Test
    void aForkBombOfAUserMeetsItsLimitInside() {
        Machine machine = runtime().start(spec());
        try (var guest = new Guest(machine)) {
            String bomb =
                    """
                    python3 -c '
                    import os, time
                    for i in range(500):
                        try:
                            if os.fork() == 0:
                                time.sleep(600)
                        except BlockingIOError:
                            print("refused at", i, flush=True)
                            break
                    '
                    """;
            guest.shell("(" + bomb + ") > /tmp/bomb 2>&1 &", 1000, Duration.ofSeconds(60));
            String wait =
                    "for i in $(seq 100); do grep -s refused /tmp/bomb && break; sleep 0.2; done";
            assertThat(guest.shell(wait, 0, Duration.ofSeconds(60)).text())
                    .startsWith("refused at ");
        }
    }

    @Test
    void aFullDiskIsAnErrorInsideAndNoMore() {
        Machine machine =
                runtime().start(spec(new MachineSpec.Limits(512 * Ground.MIB, 2, 64, 64 << 20)));
        try (var guest = new Guest(machine)) {
            assertThat(guest.shell("dd if=/dev/zero of=/var/fill bs=1M count=200").text())
                    .contains("No space left on device");
            assertThat(runtime().usage(machine.id()).disk()).isGreaterThan(40 * Ground.MIB);
            assertThat(guest.shell("rm /var/fill; echo alive").text()).isEqualTo("alive\n");
            assertThat(guest.shell("dd if=/dev/zero of=/tmp/fill bs=1M count=400").text())
                    .contains("No space left on device");
        }
    }

    @Test
    void whatAMachineWritesToItsErrorOutputStaysWithinItsDisk() {
        Machine machine =
                runtime().start(spec(new MachineSpec.Limits(512 * Ground.MIB, 2, 64, 64 << 20)));
        try (var guest = new Guest(machine)) {
            guest.shell("head -c 200000000 /dev/zero > /proc/1/fd/2");
            assertThat(runtime().usage(machine.id()).disk()).isLessThanOrEqualTo(64 * Ground.MIB);
            assertThat(guest.shell("echo alive").text()).isEqualTo("alive\n");
        }
    }

    static <T> List<T> atOnce(int count, IntFunction<T> work) {
        var pool = Executors.newFixedThreadPool(count);
        try {
            var running =
                    IntStream.range(0, count)
                            .mapToObj(i -> CompletableFuture.supplyAsync(() -> work.apply(i), pool))
                            .toList();
            var results = new ArrayList<T>();
            running.forEach(one -> results.add(one.join()));
            return results;
        } finally {
            pool.shutdown();
        }
    }

    static List<MachineEnd> of(Machine machine, List<MachineEnd> ends) {
        return ends.stream().filter(end -> end.id().equals(machine.id())).toList();
    }

    void gone(Throwable failure) {
        reason(failure, MachineFailure.Reason.GONE);
    }

    static void reason(Throwable failure, MachineFailure.Reason reason) {
        assertThat(failure).isInstanceOf(MachineFailure.class);
        assertThat(((MachineFailure) failure).reason()).as(failure.getMessage()).isEqualTo(reason);
    }
}
