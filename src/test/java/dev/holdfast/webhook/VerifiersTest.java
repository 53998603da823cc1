package dev.holdfast.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerifiersTest {
    private static final byte[] ROOT = new byte[32];
    private static final WebhookId WEBHOOK = new WebhookId(UUID.randomUUID());
    private static final byte[] BODY =
            "{\"type\":\"snapshot.saved\",\"data\":{\"name\":\"größe\"}}"
                    .getBytes(StandardCharsets.UTF_8);

    private final SigningSecret secret = SigningSecret.derived(ROOT, WEBHOOK, 1);
    private final SigningSecret next = SigningSecret.derived(ROOT, WEBHOOK, 2);

    private Map<String, String> headers(Instant at) {
        return Map.of(
                "webhook-id",
                "0000000000000042",
                "webhook-timestamp",
                String.valueOf(at.getEpochSecond()),
                "webhook-signature",
                next.sign("0000000000000042", at, BODY)
                        + " "
                        + secret.sign("0000000000000042", at, BODY));
    }

    /** Also in the middle of a rotation, whichever of the two secrets the receiver has. */
    @ParameterizedTest
    @ValueSource(strings = {"python", "js", "java"})
    void theProgramOfTheReadmeTakesWhatIsOursAndNothingElse(String language) throws Exception {
        var now = Instant.now();
        var headers = headers(now);
        assertThat(Verifiers.accepts(language, secret.text(), headers, BODY)).isTrue();
        assertThat(Verifiers.accepts(language, next.text(), headers, BODY)).isTrue();
        var other = SigningSecret.derived(ROOT, WEBHOOK, 3).text();
        assertThat(Verifiers.accepts(language, other, headers, BODY)).isFalse();
        assertThat(Verifiers.accepts(language, secret.text(), headers, "{}".getBytes())).isFalse();
        var old = headers(now.minus(Duration.ofMinutes(6)));
        assertThat(Verifiers.accepts(language, secret.text(), old, BODY)).isFalse();
    }
}
