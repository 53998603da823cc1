package dev.holdfast.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.ErrorCode;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.runtime.MachineFailure;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class ExplanationTest {

    @Test
    void tellsNoPlaceOnTheHost() {
        var failure =
                new MachineFailure(
                        MachineFailure.Reason.FAILED, "runsc: open /var/lib/holdfast/worker/x");

        assertThat(words(failure)).doesNotContain("/").isNotBlank();
        assertThat(words(new IOException("/var/lib/holdfast/worker/x")))
                .doesNotContain("/")
                .isNotBlank();
    }

    @Test
    void repeatsNothingThatAnAgentSaid() {
        var said = new AgentException(ErrorCode.DEADLINE, "a\0b");

        assertThat(words(new IOException("asked", new ExecutionException(said))))
                .isEqualTo("its agent failed: deadline");
    }

    @Test
    void repeatsWhatWasWrittenForCallers() {
        assertThat(words(new Problem(Reason.QUOTA_BYTES_EXCEEDED, "Delete snapshots.")))
                .isEqualTo("Delete snapshots");
    }

    @Test
    void saysThatADiskIsFullWhoeverFoundOut() {
        var full = new FileSystemException("/store/x", null, "No space left on device");

        assertThat(
                        words(
                                new IOException(
                                        "a part could not be stored",
                                        new ExecutionException(full))))
                .contains("full")
                .doesNotContain("/");
        assertThat(words(new MachineFailure(MachineFailure.Reason.NO_SPACE, "/x")))
                .contains("full");
    }

    @Test
    void endsWhenCausesFormARing() {
        var one = new IOException("one");
        var two = new IOException("two", one);
        one.initCause(two);

        assertThat(words(one)).contains("log");
    }

    private static String words(Throwable failure) {
        return Explanation.of(failure).words();
    }
}
