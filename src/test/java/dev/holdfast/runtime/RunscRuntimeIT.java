package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The contract on real machines, and what only they have. */
@TestInstance(Lifecycle.PER_CLASS)
class RunscRuntimeIT extends SavingContract {
    private final Ground ground = Ground.fresh();
    private RunscRuntime runtime;

    @TempDir Path scratch;

    @BeforeAll
    void open() {
        runtime = RunscRuntime.open(ground.config(), Clock.systemUTC());
        runtime.adopt(Set.of());
        assertThat(runtime.readiness().missing()).isEmpty();
    }

    @AfterAll
    void closeLeavesNothingOnTheHost() throws Exception {
        runtime.start(ground.spec());
        runtime.close();
        var traces = ground.traces();
        traces.remove("files");
        assertThat(traces).isEmpty();
        assertThat(ground.home().resolve("worker/machines")).doesNotExist();
        assertThat(ground.home().resolve("worker/slots")).doesNotExist();
        Trees.remove(ground.home());
    }

    @Override
    SandboxRuntime runtime() {
        return runtime;
    }

    @Override
    MachineSpec spec() {
        return ground.spec();
    }

    @Override
    MachineSpec spec(MachineSpec.Limits limits) {
        return ground.spec(MachineId.random(), true, limits);
    }

    @Override
    Path scratch() {
        return scratch;
    }

    @Test
    void anEndedMachineLeavesNoTraceOfItself() {
        Machine machine = runtime.start(ground.spec());
        Path image = scratch.resolve("image");
        runtime.checkpoint(machine.id(), image);
        Machine clone = runtime.restore(ground.spec(), image);
        for (Machine one : List.of(machine, clone)) {
            runtime.kill(one.id());
            Ground.await(
                    "no trace of " + one.id(),
                    Duration.ofSeconds(10),
                    () ->
                            ground.traces().values().stream()
                                    .noneMatch(
                                            lines ->
                                                    lines.stream()
                                                            .anyMatch(
                                                                    line ->
                                                                            line.contains(
                                                                                    one.id()
                                                                                            .value()))));
        }
        assertThat(Files.exists(image)).isTrue();
    }

    @Test
    void aFullTargetFailsTheCheckpointAndTheSourceGoesOn() throws Exception {
        Machine machine = runtime.start(ground.spec());
        Path small = scratch.resolve("small");
        Path file = scratch.resolve("small.img");
        Command.must("truncate", "-s", "40M", file.toString());
        Command.must("mkfs.ext4", "-q", "-F", file.toString());
        Mounts.disk(file, small);
        try (var guest = new Guest(machine)) {
            guest.python("ballast = __import__('os').urandom(100 << 20); total = 42");
            Path image = small.resolve("image");
            assertThatThrownBy(() -> runtime.checkpoint(machine.id(), image))
                    .isInstanceOfSatisfying(
                            MachineFailure.class,
                            failure ->
                                    assertThat(failure.reason())
                                            .as(failure.getMessage())
                                            .isEqualTo(MachineFailure.Reason.NO_SPACE));
            assertThat(image).doesNotExist();
            assertThat(guest.python("answer = total")).isEqualTo("42");
            runtime.checkpoint(machine.id(), scratch.resolve("roomy"));
        } finally {
            Mounts.unmount(small);
        }
    }

    /** As whoever looks into a snapshot is given it. */
    @Test
    void standsInForWhatWasOpenOnAShareThatALookIsNotGiven() throws Exception {
        Path shared = Files.createDirectory(scratch.resolve("shared"));
        MachineSpec.Share share = new MachineSpec.Share(shared, "/mnt/data");
        Machine source = runtime.start(ground.spec().sharing(List.of(share)));
        Path image = scratch.resolve("open-on-a-share");
        try (var guest = new Guest(source)) {
            guest.shell(
                    "mkdir -p '/mnt/data/d e/é'; cd '/mnt/data/d e'; echo in > held; echo"
                            + " out > other; setsid sh -c 'exec 3<held 4>>log; cd [!a-z]*; exec"
                            + " sleep 1000' >/dev/null 2>&1 & echo kept > /var/note; sleep 0.5");
            runtime.checkpoint(source.id(), image);
        }
        runtime.kill(source.id());

        MachineSpec looking =
                ground.spec().sharing(List.of(new MachineSpec.Share(null, "/mnt/data")));
        try (var guest = new Guest(runtime.restore(looking, image))) {
            assertThat(
                            guest.shell(
                                            "cat /var/note; cd /mnt/data/d*; ls held log; cat held"
                                                    + " other")
                                    .text())
                    .startsWith("kept\n")
                    .contains("held\nlog\n")
                    .doesNotContain("in\n")
                    .doesNotContain("out\n");
        }
        assertThat(shared.resolve("d e/held")).hasContent("in");
        Files.delete(image.resolve("shares"));
        MachineSpec blind =
                ground.spec().sharing(List.of(new MachineSpec.Share(null, "/mnt/data")));
        assertThatThrownBy(() -> runtime.restore(blind, image))
                .isInstanceOfSatisfying(
                        MachineFailure.class,
                        failure ->
                                assertThat(failure.reason())
                                        .isEqualTo(MachineFailure.Reason.FILE_GONE));
    }

    @Test
    void aMachineThatDiesWhileItIsSavedIsGoneAndLeavesNoDirectory() throws Exception {
        Machine machine = runtime.start(ground.spec());
        try (var guest = new Guest(machine)) {
            guest.python("ballast = __import__('os').urandom(150 << 20)");
        }
        Path image = scratch.resolve("dying");
        var saving = CompletableFuture.supplyAsync(() -> runtime.checkpoint(machine.id(), image));
        Ground.await("it writes", Duration.ofSeconds(10), () -> Files.exists(image));
        ProcessHandle.of(machine.pid()).orElseThrow().destroyForcibly();
        assertThatThrownBy(saving::join)
                .cause()
                .isInstanceOfSatisfying(
                        MachineFailure.class,
                        failure ->
                                assertThat(failure.reason())
                                        .as(failure.getMessage())
                                        .isEqualTo(MachineFailure.Reason.GONE));
        assertThat(image).doesNotExist();
    }

    @Test
    void aForkBombOfRootEndsTheMachineWithItsReason() {
        var ends = new CopyOnWriteArrayList<MachineEnd>();
        runtime.onEnd(ends::add);
        Machine other = runtime.start(spec());
        Machine machine =
                runtime.start(spec(new MachineSpec.Limits(1024 * Ground.MIB, 2, 8, 256 << 20)));
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
    void startsWithoutWhatItNeedsAndSaysWhatIsMissing() {
        Ground bare = Ground.fresh();
        RuntimeConfig config = ground.config();
        var lacking =
                RunscRuntime.open(
                        new RuntimeConfig(
                                bare.home(),
                                Path.of("/no/such/cache"),
                                bare.instance(),
                                1,
                                config.disk(),
                                1,
                                1,
                                config.tick(),
                                config.patience(),
                                config.deadline(),
                                config.resolver(),
                                false),
                        Clock.systemUTC());
        assertThat(lacking.readiness().missing())
                .contains("runsc build /no/such/cache/runtime/current/runsc");
        assertThatThrownBy(() -> lacking.adopt(Set.of())).hasMessageContaining("runsc build");
        assertThatThrownBy(() -> lacking.start(ground.spec())).hasMessageContaining("runsc build");
        lacking.close();
        Trees.remove(bare.home());
    }
}
