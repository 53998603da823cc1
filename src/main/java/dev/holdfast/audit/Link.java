package dev.holdfast.audit;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.Immutable;

/** The place that an entry has in a chain. */
@Entity
@Table(name = "audit_link")
@Immutable
public class Link {

    /** Which chain, and the how many-th in it. */
    @Embeddable
    public record Place(UUID chain, long position) implements Serializable {}

    @EmbeddedId private Place place;

    private long entryId;

    @Column(name = "at")
    private Instant at;

    private byte[] previous;

    private byte[] hash;

    protected Link() {}

    Link(Place place, long entryId, Instant at, Digest previous, String text) {
        this.place = place;
        this.entryId = entryId;
        this.at = at;
        this.previous = previous.bytes();
        this.hash = Canonical.hash(previous, place.position(), text).bytes();
    }

    /** Counted from 1 without gaps. */
    public long position() {
        return place.position();
    }

    /** That of the entry, which may be gone. */
    Instant at() {
        return at;
    }

    /** The hash of the one before it; zeros if there never was one. */
    public Digest previous() {
        return new Digest(previous);
    }

    public Digest hash() {
        return new Digest(hash);
    }
}
