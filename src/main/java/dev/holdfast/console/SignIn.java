package dev.holdfast.console;

import dev.holdfast.access.ApiKey;
import dev.holdfast.access.ApiKeyId;
import dev.holdfast.access.Grants;
import dev.holdfast.access.Person;
import dev.holdfast.access.ProjectId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * That somebody has signed in, and for how long that holds: with a key, or as a person with what
 * their roles gave them.
 */
@Entity
public class SignIn {
    private static final Duration PAUSE = Duration.ofMinutes(1);

    @Id private UUID id;

    private byte[] sha256;

    private UUID apiKeyId;

    private String subject;

    private String name;

    private Grants grants;

    private String farewell;

    private Instant begunAt;

    private Instant seenAt;

    private Instant endsAt;

    protected SignIn() {}

    private SignIn(SignInSecret secret, Instant now, Instant end) {
        this.id = UUID.randomUUID();
        this.sha256 = secret.sha256();
        this.begunAt = now;
        this.seenAt = now;
        this.endsAt = end;
    }

    /** Ends with its key, if that ends sooner. */
    SignIn(SignInSecret secret, ApiKey key, Duration longest, Instant now) {
        this(secret, now, sooner(now.plus(longest), key.expiresAt()));
        this.apiKeyId = key.id().value();
    }

    /** Ends with what the provider said, if that ends sooner. */
    SignIn(SignInSecret secret, Arrival arrival, Duration longest, Instant now) {
        this(secret, now, sooner(now.plus(longest), Optional.of(now.plus(arrival.longest()))));
        this.subject = arrival.subject();
        this.name = arrival.name();
        this.grants = arrival.grants();
        this.farewell = arrival.farewell().orElse(null);
    }

    private static Instant sooner(Instant end, Optional<Instant> other) {
        return other.filter(end::isAfter).orElse(end);
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

    /** Empty for a person. */
    Optional<ApiKeyId> key() {
        return Optional.ofNullable(apiKeyId).map(ApiKeyId::new);
    }

    /** What a person may, and where; empty for a key. */
    Optional<Grants> grants() {
        return Optional.ofNullable(grants);
    }

    /**
     * The person who asks something of that project.
     *
     * @throws IllegalStateException if it is a key's
     */
    Person person(Optional<ProjectId> project) {
        requirePerson();
        return new Person(subject, name, project, grants.in(project), endsAt);
    }

    /**
     * The person who asks something of the console alone.
     *
     * @throws IllegalStateException if it is a key's
     */
    Person person() {
        requirePerson();
        return new Person(subject, name, Optional.empty(), grants.anywhere(), endsAt);
    }

    private void requirePerson() {
        if (subject == null) {
            throw new IllegalStateException("Signed in with a key: " + id);
        }
    }

    /** Where the provider wants to hear that the person has left. */
    Optional<String> farewell() {
        return Optional.ofNullable(farewell);
    }

    Instant endsAt() {
        return endsAt;
    }
}
