package dev.holdfast.problem;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.bind.JsonbException;
import jakarta.ws.rs.ProcessingException;
import org.junit.jupiter.api.Test;

class JsonReadingTest {
    @Test
    void namesTheMemberButNotOurClasses() {
        var thrown =
                new ProcessingException(
                        new JsonbException(
                                "Unable to deserialize property 'timeout' because of"
                                        + " dev.holdfast.e2b.Request"));

        var problem = JsonReading.unreadable(thrown);

        assertThat(problem.reason()).isEqualTo(Reason.INVALID_PARAMETER);
        assertThat(problem.members()).containsEntry("parameter", "timeout");
        assertThat(problem).hasMessageContaining("timeout").hasMessageNotContaining("dev.holdfast");
    }

    @Test
    void letsARecordsOwnRefusalThrough() {
        var refusal = new Problem(Reason.MALFORMED_NAME, "no");

        assertThat(
                        JsonReading.unreadable(
                                new ProcessingException(new JsonbException("x", refusal))))
                .isSameAs(refusal);
    }
}
