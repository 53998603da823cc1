package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every runtime must do, whatever it runs machines with. */
@Timeout(180)
abstract class RuntimeContract {
    private static final Duration SOON = Duration.ofSeconds(10);

    abstract SandboxRuntime runtime();

    abstract MachineSpec spec();

    abstract MachineSpec spec(MachineSpec.Limits limits);

    /** Where checkpoints of one test go. */
    abstract Path scratch();

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
    @Tag("R76")
    @Tag("R83")
    void twoRestoresCarryOnFromTheMomentOfTheCheckpoint() {
        Machine source = runtime().start(spec());
        Path image = scratch().resolve("image");
        try (var guest = new Guest(source)) {
            guest.python("total = 42");
            guest.shell("echo before > /var/note; setsid sleep 1000 >/dev/null 2>&1 &");
            Checkpoint checkpoint = runtime().checkpoint(source.id(), image);
            assertThat(checkpoint.bytes()).isPositive();
            assertThat(checkpoint.files()).isNotEmpty();
            assertThat(checkpoint.freeze()).isLessThan(Duration.ofSeconds(20));
            assertThat(guest.python("total += 1; answer = total")).isEqualTo("43");
            guest.shell("echo after > /var/note");
        }
        runtime().kill(source.id());
        for (Machine clone : atOnce(2, i -> runtime().restore(spec(), image))) {
            try (var guest = new Guest(clone)) {
                assertThat(guest.python("answer = total")).isEqualTo("42");
                assertThat(guest.shell("cat /var/note; pgrep -c sleep").text())
                        .isEqualTo("before\n1\n");
                guest.python("total = " + clone.pid());
            }
        }
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
            Path image = scratch().resolve("paused");
            runtime().checkpoint(machine.id(), image);
            runtime().resume(machine.id());
            runtime().resume(machine.id());
            assertThat(guest.shell("echo on").text()).isEqualTo("on\n");
            Machine clone = runtime().restore(spec(), image);
            try (var second = new Guest(clone)) {
                assertThat(second.shell("echo runs").text()).isEqualTo("runs\n");
            }
        }
    }

    @Test
    void refusesACheckpointWhereSomethingIs() throws IOException {
        Machine machine = runtime().start(spec());
        Path taken = Files.createDirectory(scratch().resolve("taken"));
        Path precious = Files.writeString(taken.resolve("precious"), "x");
        assertThatThrownBy(() -> runtime().checkpoint(machine.id(), taken))
                .satisfies(failure -> reason(failure, MachineFailure.Reason.TARGET_UNUSABLE));
        assertThat(precious).exists();
        assertThatThrownBy(() -> runtime().checkpoint(machine.id(), scratch().resolve("no/parent")))
                .satisfies(failure -> reason(failure, MachineFailure.Reason.TARGET_UNUSABLE));
    }

    @Test
    void aKillDuringACheckpointWinsAndLeavesNoDirectory() {
        for (int i = 0; i < Ground.REPEAT; i++) {
            Machine machine = runtime().start(spec());
            Path image = scratch().resolve("cut" + i);
            try (var guest = new Guest(machine)) {
                guest.python("ballast = __import__('os').urandom(150 << 20)");
            }
            var saving =
                    CompletableFuture.supplyAsync(() -> runtime().checkpoint(machine.id(), image));
            Ground.await("it writes", SOON, () -> Files.exists(image));
            runtime().kill(machine.id());
            assertThatThrownBy(saving::join).cause().satisfies(this::gone);
            assertThat(image).doesNotExist();
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
    void aBrokenImageIsRefusedAndLeavesNothing() throws IOException {
        Machine source = runtime().start(spec());
        Path image = scratch().resolve("broken");
        Checkpoint checkpoint = runtime().checkpoint(source.id(), image);
        for (String file : checkpoint.files()) {
            try (var channel = FileChannel.open(image.resolve(file), StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() / 2);
            }
        }
        assertThatThrownBy(() -> runtime().restore(spec(), image))
                .satisfies(failure -> reason(failure, MachineFailure.Reason.FAILED));
        assertThat(runtime().running()).extracting(Machine::id).containsExactly(source.id());
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
            guest.shell("(" + bomb + ") > /tmp/bomb 2>&1 & sleep 8", 1000, Duration.ofSeconds(60));
            assertThat(guest.shell("cat /tmp/bomb").text()).startsWith("refused at ");
        }
    }

    @Test
    void aForkBombOfRootEndsTheMachineWithItsReason() {
        var ends = new CopyOnWriteArrayList<MachineEnd>();
        runtime().onEnd(ends::add);
        Machine other = runtime().start(spec());
        Machine machine =
                runtime().start(spec(new MachineSpec.Limits(1024 * Ground.MIB, 2, 8, 256 << 20)));
        try (var guest = new Guest(machine);
                var neighbour = new Guest(other)) {
            guest.tell("while :; do sleep 600 & done", 0);
            Ground.await("told", Duration.ofSeconds(60), () -> !of(machine, ends).isEmpty());
            assertThat(of(machine, ends))
                    .extracting(MachineEnd::reason)
                    .containsExactly(MachineEnd.Reason.OUT_OF_PROCESSES);
            assertThat(neighbour.shell("echo well").text()).isEqualTo("well\n");
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

    @Test
    void manyRestoresAtOnceAllSucceed() {
        Machine source = runtime().start(spec());
        Path image = scratch().resolve("many");
        try (var guest = new Guest(source)) {
            guest.python("total = 42");
        }
        runtime().checkpoint(source.id(), image);
        for (Machine clone : atOnce(8, i -> runtime().restore(spec(), image))) {
            try (var guest = new Guest(clone)) {
                assertThat(guest.python("answer = total")).isEqualTo("42");
            }
        }
        assertThat(runtime().running()).hasSize(9);
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

    private static List<MachineEnd> of(Machine machine, List<MachineEnd> ends) {
        return ends.stream().filter(end -> end.id().equals(machine.id())).toList();
    }

    private void gone(Throwable failure) {
        reason(failure, MachineFailure.Reason.GONE);
    }

    private static void reason(Throwable failure, MachineFailure.Reason reason) {
        assertThat(failure).isInstanceOf(MachineFailure.class);
        assertThat(((MachineFailure) failure).reason()).as(failure.getMessage()).isEqualTo(reason);
    }
}
