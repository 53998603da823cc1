package dev.holdfast.console;

import dev.holdfast.access.ApiKey;
import dev.holdfast.access.ApiKeyId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** That somebody has signed in with a key, and for how long that holds. */
@Entity
public class SignIn {
    private static final Duration PAUSE = Duration.ofMinutes(1);

    @Id private UUID id;

    private byte[] sha256;

    private UUID apiKeyId;

    private Instant begunAt;

    private Instant seenAt;

    private Instant endsAt;

    protected SignIn() {}

    /** Ends with its key, if that ends sooner. */
    SignIn(SignInSecret secret, ApiKey key, Duration longest, Instant now) {
        this.id = UUID.randomUUID();
        this.sha256 = secret.sha256();
        this.apiKeyId = key.id().value();
        this.begunAt = now;
        this.seenAt = now;
        var end = now.plus(longest);
        this.endsAt = key.expiresAt().filter(end::isAfter).orElse(end);
    }

    boolean holdsAt(Instant moment, Duration idle) {
        return moment.isBefore(endsAt) && moment.isBefore(seenAt.plus(idle));
    }

    /** Whether it is worth writing down that it was used. */
    boolean isDueAt(Instant moment) {
        return seenAt.plus(PAUSE).isBefore(moment);
    }

    UUID id() {
        return id;
    }

    ApiKeyId key() {
        return new ApiKeyId(apiKeyId);
    }

    Instant endsAt() {
        return endsAt;
    }
}
