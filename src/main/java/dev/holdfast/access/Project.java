package dev.holdfast.access;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The tenant; E2B's team. */
@Entity
public class Project {
    @Id private UUID id;

    private String name;

    private String slug;

    private long planBytes;

    private int planSnapshots;

    private int planLiveSandboxes;

    private long planLifetimeSeconds;

    private Long serviceBytes;

    private Integer serviceSnapshots;

    private Integer serviceLiveSandboxes;

    private Long serviceLifetimeSeconds;

    private Long retentionSeconds;

    private Long longestRetentionSeconds;

    private Long auditRetentionSeconds;

    private Long trashSeconds;

    private Instant createdAt;

    private Instant closedAt;

    private Principal closedBy;

    @Version private long version;

    protected Project() {}

    Project(ProjectId id, ProjectTerms terms, Instant now) {
        this.id = id.value();
        this.createdAt = now;
        agree(terms);
    }

    /** From now on; what there is already stays as it is. */
    final void agree(ProjectTerms terms) {
        name = terms.name();
        slug = terms.slug().map(Slug::value).orElse(null);
        planBytes = terms.plan().bytes();
        planSnapshots = terms.plan().snapshots();
        planLiveSandboxes = terms.plan().liveSandboxes();
        planLifetimeSeconds = terms.plan().longestLifetime().toSeconds();
        serviceBytes = terms.serviceLimit().map(Allowance::bytes).orElse(null);
        serviceSnapshots = terms.serviceLimit().map(Allowance::snapshots).orElse(null);
        serviceLiveSandboxes = terms.serviceLimit().map(Allowance::liveSandboxes).orElse(null);
        serviceLifetimeSeconds =
                terms.serviceLimit()
                        .map(Allowance::longestLifetime)
                        .map(Duration::toSeconds)
                        .orElse(null);
        retentionSeconds = terms.retention().map(Duration::toSeconds).orElse(null);
        longestRetentionSeconds = terms.longestRetention().map(Duration::toSeconds).orElse(null);
        auditRetentionSeconds = terms.auditRetention().map(Duration::toSeconds).orElse(null);
    }

    /** False when it is closed already. */
    boolean close(Principal by, Instant now) {
        if (isClosed()) {
            return false;
        }
        closedAt = now;
        closedBy = by;
        return true;
    }

    /** False when it is open already. */
    boolean reopen() {
        boolean wasClosed = isClosed();
        closedAt = null;
        closedBy = null;
        return wasClosed;
    }

    public ProjectTerms terms() {
        return new ProjectTerms(
                name,
                slug(),
                plan(),
                serviceLimit(),
                retention(),
                longestRetention(),
                auditRetention());
    }

    /** Nothing new is accepted and its keys are refused. */
    public boolean isClosed() {
        return closedAt != null;
    }

    public Optional<Instant> closedAt() {
        return Optional.ofNullable(closedAt);
    }

    public Optional<Principal> closedBy() {
        return Optional.ofNullable(closedBy);
    }

    public long version() {
        return version;
    }

    public ProjectId id() {
        return new ProjectId(id);
    }

    /** For people. */
    public String name() {
        return name;
    }

    /** Without one a project can have unnamed snapshots only. */
    public Optional<Slug> slug() {
        return Optional.ofNullable(slug).map(Slug::new);
    }

    /** What was sold. */
    public Allowance plan() {
        return new Allowance(
                planBytes,
                planSnapshots,
                planLiveSandboxes,
                Duration.ofSeconds(planLifetimeSeconds));
    }

    /** What an operator set instead, for the time being. */
    public Optional<Allowance> serviceLimit() {
        return serviceBytes == null
                ? Optional.empty()
                : Optional.of(
                        new Allowance(
                                serviceBytes,
                                serviceSnapshots,
                                serviceLiveSandboxes,
                                Duration.ofSeconds(serviceLifetimeSeconds)));
    }

    /** What is enforced. */
    public Allowance limit() {
        return serviceLimit().orElseGet(this::plan);
    }

    /** How long its snapshots are kept from now on; empty: as long as the service has it. */
    public Optional<Duration> retention() {
        return Optional.ofNullable(retentionSeconds).map(Duration::ofSeconds);
    }

    /** How long any of its snapshots may be kept; empty: as long as the service has it. */
    public Optional<Duration> longestRetention() {
        return Optional.ofNullable(longestRetentionSeconds).map(Duration::ofSeconds);
    }

    /** How long its audit is kept; empty: as long as the service has it. */
    public Optional<Duration> auditRetention() {
        return Optional.ofNullable(auditRetentionSeconds).map(Duration::ofSeconds);
    }

    /** For how long what is deleted or has expired can be brought back; zero: not at all. */
    public Duration trash() {
        return trashSeconds == null ? Duration.ZERO : Duration.ofSeconds(trashSeconds);
    }

    void keepTrashFor(Duration trash) {
        trashSeconds = trash.isZero() ? null : trash.toSeconds();
    }

    public Instant createdAt() {
        return createdAt;
    }
}
