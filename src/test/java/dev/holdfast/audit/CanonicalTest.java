package dev.holdfast.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CanonicalTest {

    @Test
    void sortsMembersAndEscapesOnlyWhatJsonDemands() {
        assertThat(Canonical.object(Map.of("b", "2", "a", "1")))
                .isEqualTo("{\"a\":\"1\",\"b\":\"2\"}");
        assertThat(Canonical.object(Map.of("a", "\"\\/\b\t\n\f\r\u0001\u000b\u007f größe €")))
                .isEqualTo("{\"a\":\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0001\\u000b\u007f größe €\"}");
        assertThat(Canonical.object(Map.of())).isEqualTo("{}");
    }

    /** Whoever verifies elsewhere relies on it. */
    @Test
    void hashesTheHashBeforeThePositionAndTheText() {
        assertThat(Canonical.hash(Digest.NONE, 1, "{}"))
                .hasToString("1bad765d926feacace97a8ddcd329a1f4254c208affc1ba86b3c7d59e8fba83e");
    }
}
