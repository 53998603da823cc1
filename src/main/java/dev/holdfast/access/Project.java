package dev.holdfast.access;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The tenant; E2B's team. */
@Entity
@Table(name = "project")
public class Project {
    @Id private UUID id;

    @Column(name = "name")
    private String name;

    @Column(name = "slug")
    private String slug;

    @Column(name = "plan_bytes")
    private long planBytes;

    @Column(name = "plan_snapshots")
    private int planSnapshots;

    @Column(name = "plan_live_sandboxes")
    private int planLiveSandboxes;

    @Column(name = "plan_lifetime_seconds")
    private long planLifetimeSeconds;

    @Column(name = "service_bytes")
    private Long serviceBytes;

    @Column(name = "service_snapshots")
    private Integer serviceSnapshots;

    @Column(name = "service_live_sandboxes")
    private Integer serviceLiveSandboxes;

    @Column(name = "service_lifetime_seconds")
    private Long serviceLifetimeSeconds;

    @Column(name = "created_at")
    private Instant createdAt;

    @Version
    @Column(name = "version")
    private long version;

    protected Project() {}

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

    public Instant createdAt() {
        return createdAt;
    }
}
