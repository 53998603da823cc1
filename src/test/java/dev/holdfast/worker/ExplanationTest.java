package dev.holdfast.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.ErrorCode;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.run.LocalBucket;
import dev.holdfast.runtime.MachineFailure;
import dev.holdfast.storage.ObjectKey;
import dev.holdfast.storage.S3Config;
import dev.holdfast.storage.S3Store;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.time.Clock;
import java.time.Duration;
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
    void saysThatTheStoreDoesNotAnswer() {
        LocalBucket.unlock();
        var nowhere =
                new S3Config(
                        "saved",
                        URI.create("http://localhost:1"),
                        "eu-1",
                        true,
                        "",
                        1,
                        Duration.ofSeconds(5));
        try (var store = new S3Store(nowhere, Clock.systemUTC())) {
            assertThatThrownBy(() -> store.size(new ObjectKey("saved")))
                    .satisfies(
                            e -> {
                                assertThat(words(new IOException("not stored", e)))
                                        .isEqualTo("the store does not answer; ask again later");
                                assertThat(StartMeter.reason(e)).isEqualTo("bucket_unreachable");
                            });
        }
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
