package dev.holdfast.envd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvelopeTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"event\":{\"start\":{\"pid\":7}}} | 000000001d",
                "{\"event\":{\"data\":{\"stdout\":\"aGkK\"}}} | 0000000024",
                "{\"event\":{\"end\":{\"exitCode\":0,\"exited\":true,\"status\":\"exit status 0\"}}}"
                        + " | 0000000047",
            })
    void writesTheKnownHeaders(String json, String header) {
        byte[] envelope = Envelope.message(json.getBytes(StandardCharsets.UTF_8));

        assertThat(HexFormat.of().formatHex(envelope, 0, 5)).isEqualTo(header);
        assertThat(new String(envelope, 5, envelope.length - 5, StandardCharsets.UTF_8))
                .isEqualTo(json);
    }

    @Test
    void endsAGoodStreamWithTheKnownBytes() {
        assertThat(Envelope.end()).containsExactly(2, 0, 0, 0, 2, '{', '}');
    }

    @Test
    void endsAFailedStreamWithTheWordOfItsCode() {
        byte[] end =
                Envelope.end(
                        new ConnectError(ConnectCode.NOT_FOUND, "process with pid 7 not found"));

        assertThat(end[0]).isEqualTo((byte) 2);
        assertThat(new String(end, 5, end.length - 5, StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"error\":{\"code\":\"not_found\","
                                + "\"message\":\"process with pid 7 not found\"}}");
    }

    @Test
    void readsBackWhatItWrote() {
        byte[] json = "{\"a\":1}".getBytes(StandardCharsets.US_ASCII);

        assertThat(Envelope.only(Envelope.message(json))).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource({
        "'', INVALID_ARGUMENT",
        "00000000, INVALID_ARGUMENT",
        "0000000002, INVALID_ARGUMENT",
        "00000000017b7d, INVALID_ARGUMENT",
        "00000000027b, INVALID_ARGUMENT",
        "01000000027b7d, UNIMPLEMENTED",
        "02000000027b7d, INVALID_ARGUMENT",
        "0400000000, INVALID_ARGUMENT",
        "00ffffffff, RESOURCE_EXHAUSTED",
        "0000400001, RESOURCE_EXHAUSTED",
    })
    void refusesWhatIsNotOneWholeMessage(String hex, ConnectCode code) {
        byte[] body = HexFormat.of().parseHex(hex);

        assertThatThrownBy(() -> Envelope.only(body))
                .isInstanceOfSatisfying(
                        ConnectError.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void refusesTwoMessagesInOneRequest() {
        byte[] one = Envelope.message(new byte[] {'{', '}'});
        byte[] two = Arrays.copyOf(one, one.length * 2);
        System.arraycopy(one, 0, two, one.length, one.length);

        assertThatThrownBy(() -> Envelope.only(two)).isInstanceOf(ConnectError.class);
    }
}
