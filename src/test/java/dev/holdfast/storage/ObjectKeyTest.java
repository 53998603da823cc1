package dev.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectKeyTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/a",
                "a/",
                "a//b",
                ".",
                "..",
                "../a",
                "a/../b",
                "a/./b",
                "a/..",
                ".incoming/x",
                "a/.hidden",
                "A",
                "a b",
                "a\\b",
                "a\nb",
                "a\u0000",
                "a%2f",
                "ä",
                "1/2/3/4/5/6/7/8/9"
            })
    void refusesWhatIsNoKey(String value) {
        assertThatThrownBy(() -> new ObjectKey(value)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "a..b", "snapshots/x/pages_meta.img", "-/_/0"})
    void takesWhatIsOne(String value) {
        assertThat(new ObjectKey(value).value()).isEqualTo(value);
    }

    @Test
    void refusesOverlongKeys() {
        assertThatThrownBy(() -> new ObjectKey("a".repeat(161)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ObjectKey(("a".repeat(100) + "/").repeat(6) + "b"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void laysOutASnapshotBelowItsId() {
        UUID id = UUID.fromString("0b8c5c0e-6f5e-4d7b-9a55-6d8f6b1c2a34");

        assertThat(ObjectKey.ofSnapshot(id, "pages.img").value())
                .isEqualTo("snapshots/0b8c5c0e-6f5e-4d7b-9a55-6d8f6b1c2a34/pages.img");
        assertThatThrownBy(() -> ObjectKey.ofSnapshot(id, "../x"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
