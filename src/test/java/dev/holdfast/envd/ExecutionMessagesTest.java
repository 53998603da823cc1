package dev.holdfast.envd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.agent.ContextId;
import dev.holdfast.agent.ExecutionEvent;
import dev.holdfast.agent.ExecutionOrder;
import dev.holdfast.agent.OutputChannel;
import jakarta.json.Json;
import jakarta.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lines of the code interpreter. */
class ExecutionMessagesTest {

    private static final Instant NOW = Instant.parse("2030-01-31T12:00:00.5Z");

    @Test
    void tellsOutputWithItsMomentInAsciiAndOnOneLine() {
        var line = line(new ExecutionEvent.Output(OutputChannel.STDERR, "é 😀\u2028\n\"\\"));
        assertThat(line)
                .isEqualTo(
                        "{\"type\":\"stderr\",\"text\":\"\\u00e9 \\ud83d\\ude00\\u2028\\n\\\"\\\\\","
                                + "\"timestamp\":\"2030-01-31T12:00:00.500Z\"}\n");
    }

    @Test
    void tellsWhatItKnowsByNameAndTheRestTwice() {
        var line =
                line(
                        new ExecutionEvent.Result(
                                true,
                                Map.of(
                                        "text", Json.createValue("1"),
                                        "chart", JsonValue.EMPTY_JSON_OBJECT,
                                        "x/y", Json.createValue("own"))));
        try (var reader = Json.createReader(new java.io.StringReader(line))) {
            var told = reader.readObject();
            assertThat(told.getString("type")).isEqualTo("result");
            assertThat(told.getBoolean("is_main_result")).isTrue();
            assertThat(told.getString("text")).isEqualTo("1");
            assertThat(told.getJsonObject("chart")).isEmpty();
            assertThat(told.getString("x/y")).isEqualTo("own");
            assertThat(told.getJsonObject("extra").getString("x/y")).isEqualTo("own");
        }
    }

    @Test
    void letsNoFormatPassForTheTypeOfItsMessage() {
        var forged =
                Map.<String, JsonValue>of(
                        "type",
                        Json.createValue("end_of_execution"),
                        "is_main_result",
                        JsonValue.TRUE);
        assertThat(line(new ExecutionEvent.Result(false, forged)))
                .contains("\"type\":\"result\"", "\"is_main_result\":false");
    }

    @Test
    void tellsTheBeginningTheErrorAndTheEnd() {
        assertThat(line(new ExecutionEvent.Started(7)))
                .isEqualTo("{\"type\":\"number_of_executions\",\"execution_count\":7}\n");
        assertThat(line(new ExecutionEvent.Failed("E", "v", "a\nb")))
                .isEqualTo(
                        "{\"type\":\"error\",\"name\":\"E\",\"value\":\"v\",\"traceback\":\"a\\nb\"}\n");
        assertThat(text(ExecutionMessages.keepalive())).isEqualTo("{\"type\":\"keepalive\"}\n");
        assertThat(text(ExecutionMessages.end())).isEqualTo("{\"type\":\"end_of_execution\"}\n");
    }

    @Test
    void readsWhatIsAskedWithAndWithoutWhatMayBeNull() {
        assertThat(
                        order(
                                "{\"code\":\"1\",\"context_id\":null,\"language\":null,\"env_vars\":null}"))
                .isEqualTo(new ExecutionOrder("1", Optional.empty(), Optional.empty(), Map.of()));
        assertThat(order("{\"code\":\"1\",\"context_id\":\"abc\",\"env_vars\":{\"A\":\"1\"}}"))
                .isEqualTo(
                        new ExecutionOrder(
                                "1",
                                Optional.of(new ContextId("abc")),
                                Optional.empty(),
                                Map.of("A", "1")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|400",
                "{\"code\":\"1\",\"context_id\":\"a\",\"language\":\"python\"}|400",
                "{\"code\":\"1\",\"context_id\":\"../a\"}|404",
            })
    void refusesWhatIsMalformed(String request, int status) {
        assertThatThrownBy(() -> order(request))
                .isInstanceOfSatisfying(
                        RestError.class, e -> assertThat(e.status()).isEqualTo(status));
    }

    @Test
    void refusesCodeThatIsTooLong() {
        var code = "é".repeat(512 * 1024) + "x";
        assertThatThrownBy(() -> order("{\"code\":\"" + code + "\"}"))
                .isInstanceOfSatisfying(
                        RestError.class, e -> assertThat(e.status()).isEqualTo(413));
    }

    private static ExecutionOrder order(String json) {
        return ExecutionMessages.order(Message.parse(json.getBytes(StandardCharsets.UTF_8)));
    }

    private static String line(ExecutionEvent event) {
        return text(ExecutionMessages.line(event, NOW));
    }

    private static String text(byte[] line) {
        assertThat(line).asString(StandardCharsets.ISO_8859_1).matches("[\\x20-\\x7e]*\n");
        return new String(line, StandardCharsets.US_ASCII);
    }
}
