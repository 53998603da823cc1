package dev.holdfast.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotNameTest {

    @Test
    @Tag("R118")
    void takesTheDefaultTagWhenNoneIsWritten() {
        assertThat(SnapshotName.parse("deps-ready", Reason.MALFORMED_NAME).name())
                .isEqualTo(new SnapshotName("deps-ready", "default"));
    }

    @Test
    @Tag("R119")
    @Tag("R121")
    void readsSlugShortAndTagTrimmedAndInLowerCase() {
        SnapshotName.Written written =
                SnapshotName.parse("  Team/Deps_Ready:V1.2 ", Reason.MALFORMED_NAME);

        assertThat(written.slug()).contains("team");
        assertThat(written.name().qualified("team")).isEqualTo("team/deps_ready:v1.2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "/",
                "a/",
                "/a",
                "a/b/c",
                "a:",
                ":a",
                "a:b:c",
                "a b",
                "ä",
                "a/b:",
                "..",
                "a/../b",
                "a\u0000",
                "team/short:tag/x"
            })
    @Tag("R143")
    void refusesOtherForms(String text) {
        assertThatThrownBy(() -> SnapshotName.parse(text, Reason.MALFORMED_REFERENCE))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem ->
                                assertThat(problem.reason()).isEqualTo(Reason.MALFORMED_REFERENCE));
    }

    @Test
    void refusesWhatIsTooLongAndDoesNotEchoAllOfIt() {
        String text = "a".repeat(129);

        assertThatThrownBy(() -> SnapshotName.parse(text, Reason.MALFORMED_NAME))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("at most 128")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain(text));
    }
}
