package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.JsonArray;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines about files, from a sandbox that may say anything. */
class TreeEntryTest {

    @Test
    void readsALine() {
        TreeEntry entry = read("[\"L2E=\",\"link\",511,1000,1000,3,1500000000,2,\"L/8=\"]");
        assertThat(entry.path()).isEqualTo(GuestPath.of("/a"));
        assertThat(entry.kind()).isEqualTo(TreeEntry.Kind.LINK);
        assertThat(entry.mode()).isEqualTo(0777);
        assertThat(entry.modifiedAt()).hasToString("1970-01-01T00:00:01.500Z");
        assertThat(entry.target().orElseThrow().octets()).isEqualTo("/\u00ff");
        assertThat(entry.target().orElseThrow().text()).isEmpty();
    }

    @Test
    void whatItDoesNotKnowIsSomethingElse() {
        TreeEntry entry = read("[\"L2E=\",\"hologram\",999999,0,0,-7,-1,0]");
        assertThat(entry.kind()).isEqualTo(TreeEntry.Kind.OTHER);
        assertThat(entry.mode()).isLessThanOrEqualTo(07777);
        assertThat(entry.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "[1]",
                "[\"L2E=\"]",
                "[\"L2E=\",\"file\",null,0,0,0,0,0]",
                "[\"L2E=\",\"file\",1,0,0,1e999999999,0,0]",
                "[\"L2E=\",\"file\",1,0,0,99999999999999999999,0,0]",
                "[\"*\",\"file\",1,0,0,0,0,0]",
                "[\"\",\"file\",1,0,0,0,0,0]",
                "[\"AA==\",\"file\",1,0,0,0,0,0]",
                "[[],{},1,0,0,0,0,0]"
            })
    void refusesWhatIsNone(String line) {
        assertThatThrownBy(() -> read(line)).isInstanceOf(AgentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "7", "[1,", "\u0000", "{\"error\":\"not_found\"}"})
    void aLineThatIsNoneOrSaysWhyThereIsNoneFails(String line) {
        assertThatThrownBy(() -> ProbeLines.parsed(line.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(AgentException.class);
    }

    private static TreeEntry read(String line) {
        return TreeEntry.of((JsonArray) ProbeLines.parsed(line.getBytes(StandardCharsets.UTF_8)));
    }
}
