package dev.holdfast.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.openid.Entry;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.wildfly.security.http.oidc.AuthenticationError;

class DoorPageTest {

    private static String text(List<String> roles, List<String> strange) {
        return DoorPage.of(
                        new Entry.Stranger(
                                "Example",
                                "<b>Ann</b>",
                                "groups",
                                roles,
                                strange,
                                Optional.of("https://id.example/end?a=1&b=\"2\"")))
                .text();
    }

    @Test
    void saysWhatWasReadAndWhatItShouldHold() {
        assertThat(text(List.of("staff", "<i>"), List.of("gone")))
                .contains(
                        "Example says that you are &lt;b&gt;Ann&lt;/b&gt;",
                        "The claim &quot;groups&quot; of your ID token holds: staff, &lt;i&gt;.",
                        "No open project is called gone.",
                        "holdfast:PROJECT:PERMISSION",
                        "href=\"https://id.example/end?a=1&amp;b=&quot;2&quot;\"")
                .doesNotContain("<b>", "<i>", "%");
        assertThat(text(List.of(), List.of()))
                .contains("holds no role.")
                .doesNotContain("No open project");
    }

    @Test
    void showsNotAllOfVeryManyRoles() {
        var many = IntStream.range(0, 500).mapToObj(i -> "r" + i).toList();
        assertThat(text(many, List.of())).contains("r19 and 480 more.").doesNotContain("r20");
    }

    @ParameterizedTest
    @CsvSource({
        "400, INVALID_STATE_COOKIE, does not belong to a sign-in",
        "403, INVALID_NONCE, does not belong to a sign-in",
        "400, OAUTH_ERROR, did not sign you in",
        "403, CODE_TO_TOKEN_FAILURE, did not stand up",
        "403, INVALID_TOKEN, did not stand up",
        "403, NO_REDIRECT_URI, cannot be reached",
        "403, SSL_REQUIRED, https",
        "404, '', There is no such page",
        "500, '', (500)",
    })
    void hasWordsForEveryRefusal(int status, String reason, String words) {
        assertThat(DoorPage.of(status, reason).text()).contains(words);
        if (!reason.isEmpty()) {
            assertThat(AuthenticationError.Reason.valueOf(reason)).as("the client's").isNotNull();
        }
    }

    @Test
    void allowsThePageNothing() {
        assertThat(DoorPage.late().text()).doesNotContain("<script", "style=", "onclick");
    }
}
