package dev.holdfast.retention;

import dev.holdfast.access.ProjectId;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.ColumnTransformer;

/** A version of a project's policy; it is never changed. */
@Entity
@Table(name = "retention_policy")
public class Edition {

    @Id private UUID id;
    private UUID projectId;
    private int number;

    @Convert(converter = PolicyConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private Policy policy;

    private Instant since;
    private Instant createdAt;
    private String createdBy;

    protected Edition() {}

    Edition(ProjectId project, Regime.Version version, Instant now, String createdBy) {
        this.id = UUID.randomUUID();
        this.projectId = project.value();
        this.number = version.number();
        this.policy = version.policy();
        this.since = version.since();
        this.createdAt = now;
        this.createdBy = createdBy;
    }

    public Regime.Version version() {
        return new Regime.Version(number, policy, since);
    }

    public Instant createdAt() {
        return createdAt;
    }

    public String createdBy() {
        return createdBy;
    }
}
