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

    private Instant createdAt;

    @Version private long version;

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

    /** How long its snapshots are kept from now on; empty: as long as the service has it. */
    public Optional<Duration> retention() {
        return Optional.ofNullable(retentionSeconds).map(Duration::ofSeconds);
    }

    /** How long any of its snapshots may be kept; empty: as long as the service has it. */
    public Optional<Duration> longestRetention() {
        return Optional.ofNullable(longestRetentionSeconds).map(Duration::ofSeconds);
    }

    void keepSnapshotsFor(Optional<Duration> retention) {
        retentionSeconds = retention.map(Duration::toSeconds).orElse(null);
    }

    public Instant createdAt() {
        return createdAt;
    }
}
