package dev.holdfast.workbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.ErrorCode;
import dev.holdfast.problem.Problem;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentProblemsTest {

    @ParameterizedTest
    @CsvSource({
        "NOT_FOUND,          context_not_found, process_not_found, file_not_found",
        "TOO_LARGE,          answer_too_large,  answer_too_large,  answer_too_large",
        "RESOURCE_EXHAUSTED, file_too_large,    file_too_large,    file_too_large",
        "UNAVAILABLE,        temporarily_unavailable, temporarily_unavailable,"
                + " temporarily_unavailable",
    })
    void tellsEachRefusalInWordsOfWhatWasAskedFor(
            ErrorCode code, String any, String process, String file) {
        assertThat(reason(code, AgentProblems::of)).isEqualTo(any);
        assertThat(reason(code, AgentProblems::ofProcess)).isEqualTo(process);
        assertThat(reason(code, AgentProblems.ofFile("/x"))).isEqualTo(file);
    }

    @Test
    void saysNothingOfWhatASandboxSaid() {
        assertThatThrownBy(
                        () ->
                                AgentProblems.ofProcess(
                                        new AgentException(ErrorCode.NOT_FOUND, "<script>")))
                .rootCause()
                .hasMessageNotContaining("script");
    }

    private static String reason(ErrorCode code, Function<Throwable, ?> words) {
        try {
            words.apply(new CompletionException(new AgentException(code, "said")));
        } catch (CompletionException told) {
            return ((Problem) told.getCause()).reason().word();
        }
        throw new AssertionError("it was not told");
    }
}
