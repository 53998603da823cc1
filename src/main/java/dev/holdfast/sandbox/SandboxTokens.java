package dev.holdfast.sandbox;

import dev.holdfast.database.Secrets;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The tokens of a sandbox. They are HMACs of a secret and the sandbox ID, so nothing is stored, a
 * token stays the same through pause and resume, and a clone, having its own ID, has its own.
 */
@ApplicationScoped
public class SandboxTokens {

    @Inject Secrets secrets;

    /** Kept, because the data plane asks on every request and from threads that must not wait. */
    private volatile SecretKeySpec key;

    /** The value of {@code X-Access-Token} for the data plane. */
    public String access(SandboxId id) {
        return token("access", id);
    }

    /** The value of {@code e2b-traffic-access-token} for private user ports. */
    public String traffic(SandboxId id) {
        return token("traffic", id);
    }

    public boolean isAccess(SandboxId id, String presented) {
        return matches(access(id), presented);
    }

    public boolean isTraffic(SandboxId id, String presented) {
        return matches(traffic(id), presented);
    }

    private String token(String use, SandboxId id) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key());
            byte[] digest =
                    mac.doFinal((use + ":" + id.value()).getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    private SecretKeySpec key() {
        SecretKeySpec known = key;
        if (known == null) {
            known = new SecretKeySpec(secrets.tokenSecret(), "HmacSHA256");
            key = known;
        }
        return known;
    }

    private static boolean matches(String expected, String presented) {
        return presented != null
                && MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.US_ASCII),
                        presented.getBytes(StandardCharsets.UTF_8));
    }
}
