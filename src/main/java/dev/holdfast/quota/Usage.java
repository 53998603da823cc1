package dev.holdfast.quota;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;

/** What a project has stored, settled captures only. */
@Entity
@Table(name = "project_usage")
class Usage {

    @Id private UUID projectId;
    private long storedBytes;
    private long storedCount;
    private long pausedBytes;

    protected Usage() {}

    /** What counts toward the byte limit: snapshots, and the states of paused sandboxes. */
    long bytes() {
        return storedBytes + pausedBytes;
    }

    long storedCount() {
        return storedCount;
    }

    void addPaused(long bytes) {
        pausedBytes += bytes;
    }

    void add(long bytes) {
        storedBytes += bytes;
        storedCount += 1;
    }

    void subtract(long bytes) {
        storedBytes -= bytes;
        storedCount -= 1;
    }
}
