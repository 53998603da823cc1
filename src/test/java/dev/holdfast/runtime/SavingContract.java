package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a runtime must do besides whose machines can be saved. */
abstract class SavingContract extends RuntimeContract {
    /** Where checkpoints of one test go. */
    abstract Path scratch();

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

    @Test
    void aCloneOfAPausedMachineRuns() {
        Machine machine = runtime().start(spec());
        Path image = scratch().resolve("paused");
        try (var guest = new Guest(machine)) {
            runtime().pause(machine.id());
            runtime().checkpoint(machine.id(), image);
            runtime().resume(machine.id());
            assertThat(guest.shell("echo on").text()).isEqualTo("on\n");
        }
        Machine clone = runtime().restore(spec(), image);
        try (var second = new Guest(clone)) {
            assertThat(second.shell("echo runs").text()).isEqualTo("runs\n");
        }
    }
}
