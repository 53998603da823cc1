package dev.holdfast.access;

import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A key of a project, or of an operator. Its secret is not here. */
@Entity
public class ApiKey {
    @Id private UUID id;

    private UUID projectId;

    private String name;

    private byte[] sha256;

    private String beginning;

    private String ending;

    @Convert(converter = PermissionsConverter.class)
    private Set<Permission> permissions;

    private boolean bootstrap;

    private Instant createdAt;

    private Principal createdBy;

    private Instant expiresAt;

    /** Written by its own statement only, which does not look at the version. */
    @Column(insertable = false, updatable = false)
    private Instant lastUsedAt;

    private Instant revokedAt;

    private Principal revokedBy;

    @Version private long version;

    protected ApiKey() {}

    private ApiKey(KeySecret secret, KeyOrder order, Principal by, Instant now) {
        this.id = ApiKeyId.fresh().value();
        this.projectId = order.project().map(ProjectId::value).orElse(null);
        this.name = order.name();
        this.sha256 = secret.sha256();
        this.beginning = secret.beginning();
        this.ending = secret.end();
        this.permissions = order.permissions();
        this.createdAt = now;
        this.createdBy = by;
        this.expiresAt = order.lifetime().map(now::plus).orElse(null);
    }

    static ApiKey issue(KeySecret secret, KeyOrder order, Principal by, Instant now) {
        return new ApiKey(secret, order, by, now);
    }

    /** The key that the settings name; there is at most one that is not revoked. */
    static ApiKey bootstrap(KeySecret secret, ProjectId project, Instant now) {
        var key =
                issue(
                        secret,
                        KeyOrder.of(project, "bootstrap", Permission.ofProject()),
                        Principal.system(),
                        now);
        key.bootstrap = true;
        return key;
    }

    /** Ends it; again is no change. */
    void revoke(Principal by, Instant now) {
        if (revokedAt == null) {
            revokedAt = now;
            revokedBy = by;
        }
    }

    /** Only the settings can bring back a key, and only one that came from them. */
    void reinstate() {
        if (!bootstrap) {
            throw new IllegalStateException("Only a bootstrap key can be brought back: " + id);
        }
        revokedAt = null;
        revokedBy = null;
    }

    boolean isRevoked() {
        return revokedAt != null;
    }

    boolean isExpiredAt(Instant moment) {
        return expiresAt != null && !moment.isBefore(expiresAt);
    }

    boolean isBootstrapOf(ProjectId project) {
        return bootstrap && project.value().equals(projectId);
    }

    public ApiKeyId id() {
        return new ApiKeyId(id);
    }

    /** Empty for an operator's key. */
    public Optional<ProjectId> project() {
        return Optional.ofNullable(projectId).map(ProjectId::new);
    }

    public String name() {
        return name;
    }

    /** How people tell it from others: {@code e2b_1a2b...9f0e}. */
    public String masked() {
        return beginning + "..." + ending;
    }

    public String beginning() {
        return beginning;
    }

    public String ending() {
        return ending;
    }

    public Set<Permission> permissions() {
        return permissions;
    }

    public Instant createdAt() {
        return createdAt;
    }

    public Principal createdBy() {
        return createdBy;
    }

    public Optional<Instant> expiresAt() {
        return Optional.ofNullable(expiresAt);
    }

    /** To the minute. */
    public Optional<Instant> lastUsedAt() {
        return Optional.ofNullable(lastUsedAt);
    }

    public Optional<Instant> revokedAt() {
        return Optional.ofNullable(revokedAt);
    }

    public Optional<Principal> revokedBy() {
        return Optional.ofNullable(revokedBy);
    }
}
