package dev.holdfast.volume;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Precondition;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** A volume, as the catalogue knows it. It owns its transitions. */
@Entity
public class Volume {

    @Id private UUID id;
    private UUID projectId;
    private String name;
    private String note;
    private String workerId;
    private long limitBytes;
    private boolean made;
    private long heldBytes;
    private Instant createdAt;
    private String createdBy;
    private Instant deletedAt;
    @Version private long version;

    protected Volume() {}

    Volume(
            ProjectId project,
            VolumeName name,
            VolumeTerms terms,
            String worker,
            String createdBy,
            Instant now) {
        this.id = VolumeId.random().value();
        this.projectId = project.value();
        this.name = name.value();
        this.workerId = worker;
        this.limitBytes = terms.limit();
        this.note = terms.note().orElse(null);
        this.createdBy = createdBy;
        this.createdAt = now;
    }

    public VolumeId id() {
        return new VolumeId(id);
    }

    public ProjectId project() {
        return new ProjectId(projectId);
    }

    public String name() {
        return name;
    }

    /** The worker that has its file; sandboxes with it run there. */
    public String worker() {
        return workerId;
    }

    public VolumeTerms terms() {
        return new VolumeTerms(limitBytes, Optional.ofNullable(note));
    }

    /** Whether its file was ever there; until then it is empty. */
    public boolean isMade() {
        return made;
    }

    /** What its file has taken of its worker's disk; the rest of its limit is promised. */
    public long held() {
        return heldBytes;
    }

    public Instant createdAt() {
        return createdAt;
    }

    /** Who made it, as the text of a principal. */
    public String createdBy() {
        return createdBy;
    }

    public long version() {
        return version;
    }

    public boolean isDeleted() {
        return deletedAt != null;
    }

    void requireVersion(OptionalLong seen) {
        Precondition.require(seen, version, "Volume " + id);
    }

    void agree(VolumeTerms terms) {
        limitBytes = terms.limit();
        note = terms.note().orElse(null);
    }

    void delete(Instant now) {
        deletedAt = now;
    }
}
