package dev.holdfast.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.problem.Problem;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelsTest {

    @Test
    void mergesWhatIsGivenAndRemovesWhatIsNothing() {
        var labels = new Labels(Map.of("team", "red", "run", "7"));
        assertThat(labels.with(Map.of("run", Optional.empty(), "env", Optional.of(""))).values())
                .isEqualTo(Map.of("team", "red", "env", ""));
        assertThat(labels.with(Map.of("unknown", Optional.empty()))).isEqualTo(labels);
    }

    @Test
    void refusesTheThirtyThird() {
        var full = new Labels(numbered(32));
        assertThatThrownBy(() -> full.with(Map.of("one-more", Optional.of("x"))))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("32");
        assertThat(full.with(Map.of("k1", Optional.of("x"))).values()).containsEntry("k1", "x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "ü", "a=b", "a:b", "\n"})
    void refusesKeysThatAFilterCouldNotName(String key) {
        assertThatThrownBy(() -> new Labels(Map.of(key, "x"))).isInstanceOf(Problem.class);
    }

    @Test
    void refusesWhatCannotBeStoredOrShown() {
        for (String value : new String[] {"a\u0000", "a\nb", "\ud800", "x".repeat(256)}) {
            assertThatThrownBy(() -> new Labels(Map.of("key", value))).isInstanceOf(Problem.class);
        }
        assertThatThrownBy(() -> new Note("a\u0007b")).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> new Note("")).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> new Note("x".repeat(2001))).isInstanceOf(Problem.class);
        assertThat(new Note("zwei Zeilen\nmit 😀").text()).hasLineCount(2);
    }

    @Test
    void refusesALabelThatIsNothing() {
        var labels = new HashMap<String, String>();
        labels.put("team", null);
        assertThatThrownBy(() -> new Labels(labels)).isInstanceOf(Problem.class);
    }

    private static Map<String, String> numbered(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v"));
    }
}
