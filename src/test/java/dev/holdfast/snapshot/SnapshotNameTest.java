package dev.holdfast.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.access.Slug;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** What is written, for a project {@code team}, and what it names. */
    @ParameterizedTest
    @CsvSource({
        "deps, deps, default",
        "'  deps\t', deps, default",
        "DEPS:V1, deps, v1",
        "team/deps, deps, default",
        "TEAM/Deps:1.0-rc_2, deps, 1.0-rc_2",
        "-, -, default",
        "_:., _, .",
        "0, 0, default",
        "a:default, a, default"
    })
    @Tag("R111")
    @Tag("R118")
    @Tag("R119")
    void isOfItsOwnProject(String text, String shortName, String tag) {
        assertThat(SnapshotName.own(text, Optional.of(new Slug("team"))))
                .isEqualTo(new SnapshotName(shortName, tag));
    }

    @Test
    void isAsLongAsIsAllowedInEachPart() {
        String longest = "a".repeat(128);
        Optional<Slug> slug = Optional.of(new Slug(longest));

        assertThat(SnapshotName.own(longest + "/" + longest + ":" + longest, slug))
                .isEqualTo(new SnapshotName(longest, longest));
        for (String tooLong :
                List.of(longest + "a", "a:" + longest + "a", longest + "a/a", longest + "a/a:a")) {
            assertThatThrownBy(() -> SnapshotName.own(tooLong, slug))
                    .isInstanceOfSatisfying(
                            Problem.class,
                            p -> assertThat(p.reason()).isEqualTo(Reason.MALFORMED_NAME));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "other/deps",
                "/deps",
                "team/",
                "team//deps",
                "team/deps:",
                "a.b",
                "a b",
                "a:b:c",
                "ä",
                "a\u0130",
                "deps\u0000",
                "\uff41",
                "a\u200b",
                "team/deps/x",
                "team\\deps",
                ":",
                "a:b/c"
            })
    @Tag("R111")
    void refusesAnotherProjectAndOtherForms(String text) {
        assertThatThrownBy(() -> SnapshotName.own(text, Optional.of(new Slug("team"))))
                .isInstanceOfSatisfying(
                        Problem.class,
                        p -> assertThat(p.reason()).isEqualTo(Reason.MALFORMED_NAME));
    }

    @Test
    @Tag("R98")
    void needsAProjectWithASlug() {
        for (String text : List.of("deps", "team/deps")) {
            assertThatThrownBy(() -> SnapshotName.own(text, Optional.empty()))
                    .isInstanceOfSatisfying(
                            Problem.class,
                            p -> assertThat(p.reason()).isEqualTo(Reason.PROJECT_UNNAMED));
        }
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
