package dev.holdfast.sandbox;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What a caller names an order by, so that asking again makes nothing twice.
 *
 * @param key 1 to 255 printable characters, the caller's own
 * @param digest of what was ordered
 */
@Embeddable
public record Idempotency(
        @Column(name = "idempotency_key") String key,
        @Column(name = "idempotency_digest") String digest) {

    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

    public Idempotency {
        Objects.requireNonNull(digest);
        if (!KEY.matcher(key).matches()) {
            throw Problem.invalid(
                    "Idempotency-Key",
                    "\"Idempotency-Key\" is 1 to 255 printable characters without spaces.");
        }
    }

    public static Idempotency of(String key, String order) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return new Idempotency(
                    key,
                    HexFormat.of()
                            .formatHex(digest.digest(order.getBytes(StandardCharsets.UTF_8))));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Refuses a key that was used for another order. */
    public void requireSame(Idempotency other) {
        if (!equals(other)) {
            throw reused();
        }
    }

    public Problem reused() {
        return new Problem(
                Reason.IDEMPOTENCY_KEY_REUSED,
                "This Idempotency-Key was used for another order. Use a new one.");
    }
}
