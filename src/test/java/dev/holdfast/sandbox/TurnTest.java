package dev.holdfast.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TurnTest {

    @ParameterizedTest(name = "from {0} to {1} is told as {2}")
    @CsvSource({
        ", STARTING, sandbox.created",
        "STARTING, RUNNING, sandbox.started",
        "RUNNING, SNAPSHOTTING, sandbox.capture_started",
        "SNAPSHOTTING, RUNNING, sandbox.capture_ended",
        "RUNNING, PAUSING, sandbox.pausing",
        "PAUSING, RUNNING, sandbox.pause_failed",
        "PAUSING, PAUSED, sandbox.paused",
        "PAUSED, RESUMING, sandbox.resuming",
        "RESUMING, RUNNING, sandbox.resumed",
        "RESUMING, PAUSED, sandbox.resume_failed",
        "STARTING, ENDED, sandbox.ended",
        "PAUSED, ENDED, sandbox.ended"
    })
    void everyTurnHasAWord(SandboxState from, SandboxState to, String word) {
        assertThat(new Turn(Optional.ofNullable(from), to, false).type().word()).isEqualTo(word);
    }

    @ParameterizedTest(name = "from {0} to {1} is told as {2} in a restore in place")
    @CsvSource({
        "RUNNING, PAUSING, sandbox.restoring",
        "PAUSING, RUNNING, sandbox.restore_failed",
        "PAUSING, RESUMING, sandbox.resuming",
        "RESUMING, RUNNING, sandbox.restored",
        "RESUMING, RESUMING, sandbox.restore_failed",
        "RESUMING, PAUSED, sandbox.restore_failed",
        "PAUSING, ENDED, sandbox.ended",
        "RESUMING, ENDED, sandbox.ended"
    })
    void everyTurnInPlaceHasAWord(SandboxState from, SandboxState to, String word) {
        assertThat(new Turn(Optional.of(from), to, true).type().word()).isEqualTo(word);
    }
}
