package dev.holdfast.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeantProjectTest {

    @ParameterizedTest
    @CsvSource({
        "/projects/team-a, team-a",
        "/projects/team-a/, team-a",
        "/projects/team-a/snapshots/x, team-a",
        "/projects/0b8c5c0e-0000-4000-8000-000000000000/keys, 0b8c5c0e-0000-4000-8000-000000000000",
    })
    void isTheOneThatThePathNames(String path, String project) {
        assertThat(MeantProject.in(path)).contains(project);
    }

    @Test
    void isNoneOnEveryOtherPath() {
        for (String path :
                new String[] {
                    null,
                    "",
                    "/projects",
                    "/projects/",
                    "/projects//snapshots",
                    "/projects/a b/x",
                    "/projects/" + "a".repeat(129),
                    "/admin/projects/team-a",
                    "/x/projects/team-a",
                }) {
            assertThat(MeantProject.in(path)).as(path).isEmpty();
        }
    }
}
