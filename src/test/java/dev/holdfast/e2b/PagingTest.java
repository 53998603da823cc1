package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.problem.Problem;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R133")
class PagingTest {

    private static final Instant MOMENT = Instant.parse("2026-03-01T10:00:00.123456Z");

    @Test
    void readsTheTokenItGave() {
        String token = Paging.read("snapshots", null, null).token(MOMENT, "id-1");

        assertThat(Paging.read("snapshots", "7", token).after())
                .contains(new Paging.Place(MOMENT, "id-1"));
    }

    @Test
    void refusesTheTokenOfAnotherList() {
        String token = Paging.read("sandboxes-asc", null, null).token(MOMENT, "id-1");

        assertThatThrownBy(() -> Paging.read("sandboxes-desc", null, token))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("nextToken");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%%%", "bm9wZQ", "bm9wZQ__", "c25hcHNob3RzX19ub3RhdGltZV9feA"})
    void refusesGarbage(String token) {
        assertThatThrownBy(() -> Paging.read("snapshots", null, token)).isInstanceOf(Problem.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "101", "-1", "ten", "9999999999"})
    void refusesLimitsOutOfRange(String limit) {
        assertThatThrownBy(() -> Paging.read("snapshots", limit, null))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("1 to 100");
    }

    @Test
    void refusesAMomentThatTheDatabaseCannotCompare() {
        String token = Paging.read("snapshots", null, null).token(Instant.MAX, "id-1");

        assertThatThrownBy(() -> Paging.read("snapshots", null, token))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("nextToken");
    }
}
