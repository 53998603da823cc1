package dev.holdfast.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SigningSecretTest {

    /** The published example of Standard Webhooks. */
    @Test
    void signsAsReceiversExpect() {
        var secret = SigningSecret.read("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

        assertThat(
                        secret.sign(
                                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                                Instant.ofEpochSecond(1614265330),
                                "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void eachEndpointAndEachRotationHasAnotherSecret() {
        byte[] root = new byte[32];
        var one = new WebhookId(UUID.randomUUID());
        var other = new WebhookId(UUID.randomUUID());

        var first = SigningSecret.derived(root, one, 1).text();

        assertThat(first).startsWith("whsec_").hasSize(50);
        assertThat(SigningSecret.derived(root, one, 1).text()).isEqualTo(first);
        assertThat(SigningSecret.derived(root, one, 2).text()).isNotEqualTo(first);
        assertThat(SigningSecret.derived(root, other, 1).text()).isNotEqualTo(first);
        assertThat(SigningSecret.read(first)).hasToString("whsec_...");
    }
}
