package dev.holdfast.webhook;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What deliveries to one endpoint are signed with, in the way of Standard Webhooks. */
public final class SigningSecret {
    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] key;

    private SigningSecret(byte[] key) {
        this.key = key;
    }

    /** Made from a secret of the server, so that nothing that signs lies in the database. */
    public static SigningSecret derived(byte[] root, WebhookId webhook, int version) {
        return new SigningSecret(
                hmac(
                        root,
                        ("webhook:" + webhook + ":" + version).getBytes(StandardCharsets.UTF_8)));
    }

    /** Reads what {@link #text} gave. */
    static SigningSecret read(String text) {
        if (!text.startsWith(PREFIX)) {
            throw new IllegalArgumentException("a secret begins with " + PREFIX);
        }
        return new SigningSecret(Base64.getDecoder().decode(text.substring(PREFIX.length())));
    }

    /** For its owner, who is shown it once. */
    public String text() {
        return PREFIX + Base64.getEncoder().encodeToString(key);
    }

    /** One entry of the header {@code webhook-signature}. */
    public String sign(String id, Instant at, byte[] body) {
        byte[] head =
                (Objects.requireNonNull(id) + "." + at.getEpochSecond() + ".")
                        .getBytes(StandardCharsets.UTF_8);
        byte[] signed = new byte[head.length + body.length];
        System.arraycopy(head, 0, signed, 0, head.length);
        System.arraycopy(body, 0, signed, head.length, body.length);
        return "v1," + Base64.getEncoder().encodeToString(hmac(key, signed));
    }

    private static byte[] hmac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac.doFinal(text);
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }

    @Override
    public String toString() {
        return PREFIX + "...";
    }
}
