package dev.holdfast.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class KindTest {

    @Test
    void namesInStatementsThoseThatAreListed() {
        assertThat(Kind.LISTED)
                .isEqualTo(
                        Arrays.stream(Kind.values())
                                .filter(Kind::isListed)
                                .map(kind -> "'" + kind + "'")
                                .collect(Collectors.joining(", ", "(", ")")));
    }
}
