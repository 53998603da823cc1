package dev.holdfast.volume;

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
 * The tokens of volumes, with which clients of E2B reach what is in them. They are HMACs of a
 * secret and the ID, so nothing is stored; one is good as long as its volume is there and its
 * project is open.
 */
@ApplicationScoped
public class VolumeTokens {

    @Inject Secrets secrets;

    public String of(VolumeId id) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secrets.tokenSecret(), "HmacSHA256"));
            byte[] digest = mac.doFinal(("volume:" + id).getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    public boolean isFor(VolumeId id, String presented) {
        return presented != null
                && MessageDigest.isEqual(
                        of(id).getBytes(StandardCharsets.US_ASCII),
                        presented.getBytes(StandardCharsets.UTF_8));
    }
}
