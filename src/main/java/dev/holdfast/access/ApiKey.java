package dev.holdfast.access;

import dev.holdfast.problem.Precondition;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** A key of a project, or of an operator. Its secret is not here. */
@Entity
public non-sealed class ApiKey implements Identity {
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

    private ApiKey(
            KeySecret secret,
            Optional<ProjectId> project,
            KeyTerms terms,
            Principal by,
            Instant now) {
        this.id = ApiKeyId.fresh().value();
        this.projectId = project.map(ProjectId::value).orElse(null);
        this.name = terms.name();
        this.sha256 = secret.sha256();
        this.beginning = secret.beginning();
        this.ending = secret.end();
        this.permissions = terms.permissions();
        this.createdAt = now;
        this.createdBy = by;
        this.expiresAt = terms.expiresAt().orElse(null);
    }

    /**
     * @throws dev.holdfast.problem.Problem for what the grantor may not give
     */
    static ApiKey issue(KeySecret secret, KeyOrder order, Grantor by, Instant now) {
        return new ApiKey(
                secret, order.project(), by.grant(order.terms(now), now), by.principal(), now);
    }

    /**
     * A key that the settings name; there is at most one of a project and one of the service that
     * is not revoked.
     */
    static ApiKey bootstrap(KeySecret secret, Optional<ProjectId> project, Instant now) {
        var order =
                project.map(own -> KeyOrder.of(own, "bootstrap", Permission.ofProject()))
                        .orElseGet(() -> KeyOrder.ofOperator("bootstrap"));
        var key = issue(secret, order, Grantor.system(), now);
        key.bootstrap = true;
        return key;
    }

    /**
     * @throws Problem {@code key_revoked}, {@code precondition_failed}
     */
    void change(KeyTerms terms, OptionalLong seen) {
        if (isRevoked()) {
            throw new Problem(Reason.KEY_REVOKED, "Key " + masked() + " was revoked and stays so.");
        }
        Precondition.require(seen, version, "Key " + masked());
        terms.requireFit(projectId != null);
        name = terms.name();
        permissions = terms.permissions();
        expiresAt = terms.expiresAt().orElse(null);
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

    /** {@code revoked}, {@code expired} or {@code active}. */
    public String stateAt(Instant moment) {
        if (isRevoked()) {
            return "revoked";
        }
        return isExpiredAt(moment) ? "expired" : "active";
    }

    boolean isRevoked() {
        return revokedAt != null;
    }

    boolean isExpiredAt(Instant moment) {
        return expiresAt != null && !moment.isBefore(expiresAt);
    }

    boolean isBootstrap() {
        return bootstrap;
    }

    public ApiKeyId id() {
        return new ApiKeyId(id);
    }

    @Override
    public Principal principal() {
        return Principal.key(id());
    }

    /** Empty for an operator's key. */
    @Override
    public Optional<ProjectId> project() {
        return Optional.ofNullable(projectId).map(ProjectId::new);
    }

    public KeyTerms terms() {
        return new KeyTerms(name, permissions, expiresAt());
    }

    @Override
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

    @Override
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

    public long version() {
        return version;
    }
}
