package dev.holdfast.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("F8")
class FailureTest {

    @Test
    void keepsTheReasonAndTheFiguresOfAQuota() {
        Problem exceeded =
                new Problem(Reason.QUOTA_BYTES_EXCEEDED, "Too much.")
                        .with("limit", 10L)
                        .with("used", 4)
                        .with("hint", "words are no figures");

        Failure failure = Failure.of(new RuntimeException(exceeded), "too much");

        assertThat(failure)
                .isEqualTo(
                        new Failure(
                                Reason.QUOTA_BYTES_EXCEEDED,
                                "too much",
                                Map.of("limit", 10L, "used", 4L)));
        Problem told = failure.problem("The capture failed");
        assertThat(told.reason().status()).isEqualTo(403);
        assertThat(told.members()).containsEntry("limit", 10L).containsEntry("used", 4L);
        assertThat(told).hasMessageStartingWith("The capture failed: too much.");
    }

    @Test
    void callsEverythingElseAFailedCapture() {
        Problem other = new Problem(Reason.NO_WORKER, "None.");

        assertThat(Failure.of(new IOException(other), "none").reason())
                .isEqualTo(Reason.CAPTURE_FAILED);
    }

    @Test
    void tellsCancelledAndExpiredApart() {
        assertThat(OperationState.of(Failure.CANCELLED)).isEqualTo(OperationState.CANCELLED);
        assertThat(OperationState.of(Failure.PAST_DEADLINE)).isEqualTo(OperationState.EXPIRED);
        assertThat(OperationState.of(Failure.of("broken"))).isEqualTo(OperationState.FAILED);
        for (OperationState state : OperationState.values()) {
            assertThat(OperationState.of(state.word())).contains(state);
        }
    }
}
