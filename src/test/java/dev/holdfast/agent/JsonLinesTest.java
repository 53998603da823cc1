package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonLinesTest {

    private final Room room = new Room(1000);
    private final JsonLines lines = new JsonLines(new Bound(3, 100, 5, 1000), room);
    private final List<String> told = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void putsLinesTogetherWhateverTheirPieces(int piece) {
        var text = "{\"a\":1}\n{\"b\":\"\\\"x,,\"}\n{\"c\":[1]}";
        for (var at = 0; at < text.length(); at += piece) {
            read(text.substring(at, Math.min(text.length(), at + piece)));
        }
        lines.finish(this::tell);
        assertThat(told).containsExactly("{\"a\":1} 8", "{\"b\":\"\\\"x,,\"} 14", "{\"c\":[1]} 10");
        assertThat(room.used()).isZero();
    }

    @Test
    void holdsTheLineThatHasBegunAndTheOneThatIsToldAndNoOther() {
        read("{}\n{\"a\"");
        assertThat(room.used()).isEqualTo(4);
        lines.read(bytes(":1}\n"), (line, cost) -> assertThat(room.used()).isGreaterThan(7));
        assertThat(room.used()).isZero();
    }

    @Test
    void refusesALineWithoutAnEnd() {
        read("x".repeat(60));
        assertTooLarge("x".repeat(60));
    }

    @Test
    void refusesALineThatIsTooLongAlsoWhereItComesWhole() {
        assertTooLarge("\"" + "x".repeat(120) + "\"\n");
    }

    @Test
    void refusesMoreLinesThanThereMayBe() {
        read("{}\n{}\n{}\n");
        assertTooLarge("\n");
    }

    @Test
    void refusesMoreValuesThanThereMayBeAndCountsNoneOfAText() {
        read("{\"a\":\",:[{,:[{\",\"b\":1}\n");
        assertTooLarge("{\"a\":[1,2,3,4]}\n");
        assertThat(told).hasSize(1);
    }

    @Test
    void refusesWhatThereIsNoRoomForAround() {
        var small = new JsonLines(new Bound(3, 100, 5, 1000), room.within(20));
        assertThatThrownBy(() -> small.read(bytes("{\"abcdefghijklmnopqrs"), this::tell))
                .isInstanceOf(AgentException.class);
        assertThat(room.used()).isZero();
    }

    @Test
    void takesTextThatIsNoJsonForABrokenChannel() {
        assertThatThrownBy(() -> read("{]\n"))
                .isInstanceOfSatisfying(
                        AgentException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CHANNEL_RESET));
        assertThat(room.used()).isZero();
    }

    private void assertTooLarge(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOfSatisfying(
                        AgentException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
    }

    private void read(String text) {
        lines.read(bytes(text), this::tell);
    }

    private void tell(Members line, int cost) {
        told.add(line.json() + " " + cost);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)).asReadOnlyBuffer();
    }
}
