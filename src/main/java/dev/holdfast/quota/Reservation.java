package dev.holdfast.quota;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.UUID;

/** Room held for one capture; its owner is the upload ID. */
@Entity
class Reservation {

    @Id private UUID owner;
    private UUID projectId;
    private long bytes;
    private Instant expiresAt;

    protected Reservation() {}

    Reservation(UUID owner, UUID projectId, long bytes, Instant expiresAt) {
        this.owner = owner;
        this.projectId = projectId;
        this.bytes = bytes;
        this.expiresAt = expiresAt;
    }
}
