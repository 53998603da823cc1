package dev.holdfast.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class JsonTextTest {
    private static void check(String text) {
        JsonText.checked(text.getBytes(StandardCharsets.UTF_8), 100);
    }

    private static void assertRefused(String text, String why) {
        assertThatThrownBy(() -> check(text))
                .isInstanceOfSatisfying(
                        Problem.class,
                        p -> assertThat(p.reason()).isEqualTo(Reason.INVALID_PARAMETER))
                .hasMessageContaining(why);
    }

    @Test
    void takesABodyOfExactlyTheLimit() {
        var body = ("\"" + "x".repeat(98) + "\"").getBytes(StandardCharsets.UTF_8);

        assertThat(JsonText.checked(body, 100)).isSameAs(body);
    }

    @Test
    void refusesOneByteMore() {
        assertThatThrownBy(() -> check("x".repeat(101)))
                .isInstanceOfSatisfying(
                        Problem.class, p -> assertThat(p.reason()).isEqualTo(Reason.BODY_TOO_LARGE))
                .hasMessageContaining("100");
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        for (var bytes :
                new byte[][] {{'"', (byte) 0xff, '"'}, {(byte) 0xc3}, {(byte) 0xc0, (byte) 0x80}}) {
            assertThatThrownBy(() -> JsonText.checked(bytes, 100)).hasMessageContaining("UTF-8");
        }
    }

    @Test
    void refusesANulHoweverItIsHidden() {
        assertRefused("{\"a\":\"\\u0000\"}", "NUL");
        assertRefused("{\"a\":\"x\\\\\\u0000\"}", "NUL");
        assertRefused("{\"\\u0000\":1}", "NUL");
    }

    @Test
    void takesTheLettersOfANulAfterAnEscapedBackslash() {
        check("{\"a\":\"\\\\u0000\"}");
        check("{\"a\":\"\\u0001 \u00e9\"}");
    }

    @Test
    @Timeout(10)
    void refusesATextThatEndsInsideAnUnknownMember() {
        assertRefused("{\"other\":[1", "not valid JSON");
        assertRefused("{\"other\":{\"x\":1", "not valid JSON");
    }

    @Test
    void refusesWhatFollowsTheEnd() {
        assertRefused("{\"a\":1} x", "line 1");
    }

    @Test
    void refusesNestingWithoutEnd() {
        var deep = ("[".repeat(5000) + "]".repeat(5000)).getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> JsonText.checked(deep, 10_000))
                .isInstanceOfSatisfying(
                        Problem.class,
                        p -> assertThat(p.reason()).isEqualTo(Reason.INVALID_PARAMETER))
                .hasMessageContaining("too deep");
    }

    @Test
    void takesABodyOfBlanksForNone() {
        check("");
        check(" \n");
        check("null");
    }
}
