package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text that comes in pieces. */
class CharactersTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 100})
    void cutsNoCharacterHoweverThePiecesFall(int size) {
        var text = "aé漢😀\n".repeat(7);
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var characters = new Characters();
        var read = new StringBuilder();
        for (int at = 0; at < bytes.length; at += size) {
            var length = Math.min(size, bytes.length - at);
            var piece = characters.decode(ByteBuffer.wrap(bytes, at, length), false);
            assertThat(piece).doesNotContain("\ufffd");
            read.append(piece);
        }
        assertThat(read.append(characters.decode(ByteBuffer.allocate(0), true))).hasToString(text);
    }

    @Test
    void replacesWhatIsNoText() {
        var characters = new Characters();
        assertThat(characters.decode(ByteBuffer.wrap(new byte[] {'a', (byte) 0xff, 'b'}), false))
                .isEqualTo("a\ufffdb");
        assertThat(characters.decode(ByteBuffer.wrap(new byte[] {'c', (byte) 0xe6}), false))
                .isEqualTo("c");
        assertThat(characters.decode(ByteBuffer.allocate(0), true)).isEqualTo("\ufffd");
    }
}
