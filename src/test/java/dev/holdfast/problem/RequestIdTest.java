package dev.holdfast.problem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestIdTest {
    @Test
    void keepsASaneIdOfTheCaller() {
        assertThat(RequestId.from("my-id_1.2").value()).isEqualTo("my-id_1.2");
        assertThat(RequestId.from("a".repeat(64)).value()).hasSize(64);
    }

    @Test
    void replacesWhatWouldForgeLogLinesOrHeaders() {
        for (var bad : new String[] {null, "", "a b", "a\nb", "\u00e9", "<x>", "a".repeat(65)}) {
            assertThat(RequestId.from(bad).value()).isNotEqualTo(bad).hasSize(36);
        }
    }

    @Test
    void givesEveryRequestAnotherId() {
        assertThat(RequestId.from(null)).isNotEqualTo(RequestId.from(null));
    }
}
