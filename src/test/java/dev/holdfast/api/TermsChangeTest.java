package dev.holdfast.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.access.Allowance;
import dev.holdfast.access.ProjectTerms;
import dev.holdfast.access.Slug;
import dev.holdfast.problem.Problem;
import jakarta.json.Json;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TermsChangeTest {
    private static final Allowance PLAN = new Allowance(1000, 10, 5, Duration.ofHours(1));
    private static final ProjectTerms BEFORE =
            new ProjectTerms(
                    "Old",
                    Optional.of(new Slug("old")),
                    PLAN,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    private static JsonValue json(String text) {
        try (var reader = Json.createReader(new StringReader(text))) {
            return reader.readValue();
        }
    }

    private static ProjectTerms changed(ProjectTerms before, String text) {
        return TermsChange.of(json(text)).apply(before);
    }

    @Test
    void leavesWhatItDoesNotName() {
        assertThat(changed(BEFORE, "{}")).isEqualTo(BEFORE);
        assertThat(changed(BEFORE, "{\"name\":\"New\"}"))
                .isEqualTo(BEFORE.called("New", BEFORE.slug()));
        assertThat(changed(BEFORE, "{\"plan\":{\"bytes\":7}}").plan())
                .isEqualTo(new Allowance(7, 10, 5, Duration.ofHours(1)));
    }

    @Test
    void takesAwayWhatIsNull() {
        var limited =
                BEFORE.allowed(PLAN, Optional.of(new Allowance(1, 1, 1, Duration.ofSeconds(1))))
                        .keeping(Optional.of(Duration.ofDays(1)), Optional.of(Duration.ofDays(2)));

        var terms =
                changed(
                        limited,
                        "{\"slug\":null,\"serviceLimit\":null,\"retentionSeconds\":null,"
                                + "\"longestRetentionSeconds\":null}");

        assertThat(terms).isEqualTo(BEFORE.called("Old", Optional.empty()));
    }

    @Test
    void setsAServiceLimitInPartOnTopOfWhatIsEnforced() {
        var first = changed(BEFORE, "{\"serviceLimit\":{\"bytes\":5000}}");

        assertThat(first.serviceLimit()).contains(new Allowance(5000, 10, 5, Duration.ofHours(1)));
        assertThat(changed(first, "{\"serviceLimit\":{\"snapshots\":2}}").serviceLimit())
                .contains(new Allowance(5000, 2, 5, Duration.ofHours(1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{\"nane\":\"x\"}",
                "{\"name\":null}",
                "{\"name\":\"  \"}",
                "{\"name\":7}",
                "{\"name\":\"a\\u0000b\"}",
                "{\"slug\":\"Not One\"}",
                "{\"plan\":null}",
                "{\"plan\":7}",
                "{\"plan\":{\"bytes\":-1}}",
                "{\"plan\":{\"bytes\":1.5}}",
                "{\"plan\":{\"bytes\":9223372036854775808}}",
                "{\"plan\":{\"snapshots\":2147483648}}",
                "{\"plan\":{\"longestLifetimeSeconds\":0}}",
                "{\"plan\":{\"size\":1}}",
                "{\"retentionSeconds\":0}",
                "{\"retentionSeconds\":20,\"longestRetentionSeconds\":10}"
            })
    void refusesWhatNoProjectCanBe(String body) {
        assertThatThrownBy(() -> changed(BEFORE, body)).isInstanceOf(Problem.class);
    }

    @Test
    void wantsANameForANewProjectAndPresetsTheRest() {
        assertThatThrownBy(() -> TermsChange.of(json("{}")).fresh(PLAN))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("name");
        assertThat(TermsChange.of(json("{\"name\":\"New\"}")).fresh(PLAN).plan()).isEqualTo(PLAN);
    }
}
