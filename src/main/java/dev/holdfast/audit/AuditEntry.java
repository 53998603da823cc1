package dev.holdfast.audit;

import dev.holdfast.database.StringMapConverter;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.annotations.ColumnTransformer;
import org.hibernate.annotations.Immutable;

/** One act and what came of it. */
@Entity
@Immutable
public class AuditEntry {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "audit_entry")
    @SequenceGenerator(name = "audit_entry", sequenceName = "audit_entry_seq", allocationSize = 50)
    private long id;

    /** The database says when, as the row is written. */
    @Column(insertable = false)
    private Instant at;

    private UUID projectId;

    private boolean service;

    private String principal;

    private String action;

    private String subjectType;

    private String subjectId;

    @Enumerated(EnumType.STRING)
    private Outcome outcome;

    private String reason;

    private String address;

    private String userAgent;

    private String requestId;

    @Convert(converter = StringMapConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private Map<String, String> details;

    protected AuditEntry() {}

    AuditEntry(Deed deed, Origin origin, Outcome outcome, String reason) {
        this.projectId = deed.project().orElse(null);
        this.service = projectId == null || origin.service();
        this.principal = deed.principal().orElse(origin.principal());
        this.action = deed.action().word();
        this.subjectType = deed.subject().type();
        this.subjectId = deed.subject().id();
        this.outcome = outcome;
        this.reason = reason;
        this.address = origin.address();
        this.userAgent = origin.userAgent();
        this.requestId = origin.requestId();
        this.details =
                principal.equals(origin.principal())
                        ? deed.with("by", origin.name()).details()
                        : deed.details();
    }

    public long id() {
        return id;
    }

    public Instant at() {
        return at;
    }

    /** Empty for what is the service's alone. */
    public Optional<UUID> project() {
        return Optional.ofNullable(projectId);
    }

    /** Whether it is in the audit of the service, be it of a project besides or not. */
    boolean isOfService() {
        return service;
    }

    public String principal() {
        return principal;
    }

    /** The word of an {@link Action}, perhaps of a newer build. */
    public String action() {
        return action;
    }

    public Subject subject() {
        return new Subject(subjectType, subjectId);
    }

    public Outcome outcome() {
        return outcome;
    }

    /** Why it was refused or failed. */
    public Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    /** Empty for what nobody asked for over HTTP; the same of the next two. */
    public Optional<String> address() {
        return Optional.ofNullable(address);
    }

    public Optional<String> userAgent() {
        return Optional.ofNullable(userAgent);
    }

    public Optional<String> requestId() {
        return Optional.ofNullable(requestId);
    }

    public Map<String, String> details() {
        return Map.copyOf(details);
    }
}
