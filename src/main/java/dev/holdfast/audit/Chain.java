package dev.holdfast.audit;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** The chain of a project's audit, or of the service's. */
@Entity
@Table(name = "audit_chain")
public class Chain {

    /** The ID of the service's. */
    static final UUID SERVICE = new UUID(0, 0);

    @Id private UUID id;

    private long last;

    private byte[] lastHash;

    private long removed;

    private byte[] removedHash;

    private Instant verifiedAt;

    private long verified;

    private byte[] verifiedHash;

    private Long brokenAt;

    private String brokenWhy;

    /** A position and the hash that is there. */
    public record Point(long position, Digest hash) {}

    /** What the last verification saw, and when. */
    public record Verified(Instant at, Point until, Optional<Breach> breach) {}

    protected Chain() {}

    Chain(UUID id) {
        this.id = id;
        this.lastHash = Digest.NONE.bytes();
        this.removedHash = Digest.NONE.bytes();
    }

    /** Those that an entry belongs to. */
    static List<UUID> of(AuditEntry entry) {
        return Stream.concat(
                        entry.project().stream(),
                        entry.isOfService() ? Stream.of(SERVICE) : Stream.empty())
                .toList();
    }

    UUID id() {
        return id;
    }

    /** Empty for that of the service. */
    public Optional<UUID> project() {
        return Optional.of(id).filter(each -> !each.equals(SERVICE));
    }

    /** As logs and events name it. */
    public String subject() {
        return project().map(UUID::toString).orElse("service");
    }

    /** The newest entry. */
    public Point head() {
        return new Point(last, new Digest(lastHash));
    }

    /** The last that was removed because it was old; position 0 with zeros: none ever was. */
    public Point anchor() {
        return new Point(removed, new Digest(removedHash));
    }

    /** How many it has now. */
    public long length() {
        return last - removed;
    }

    public Optional<Verified> verification() {
        return Optional.ofNullable(verifiedAt)
                .map(at -> new Verified(at, seen().orElse(anchor()), broken()));
    }

    private Optional<Breach> broken() {
        return Optional.ofNullable(brokenWhy).map(why -> new Breach(brokenAt, why));
    }

    /** The newest that a verification has found whole. */
    Optional<Point> seen() {
        return Optional.ofNullable(verifiedHash).map(hash -> new Point(verified, new Digest(hash)));
    }

    /** Along it from its anchor, beside what was verified. */
    Walk walk(Instant now, Duration kept) {
        Instant old = now.minus(kept);
        boolean young = verifiedAt != null && verifiedAt.minus(Walk.LATEST).isAfter(old);
        return new Walk(anchor(), seen(), young);
    }

    /** One more at its end. */
    Link append(AuditEntry entry) {
        Link link =
                new Link(
                        new Link.Place(id, last + 1),
                        entry.id(),
                        entry.at(),
                        new Digest(lastHash),
                        Canonical.text(entry));
        last = link.position();
        lastHash = link.hash().bytes();
        return link;
    }

    /** All up to this one were looked at and are gone. */
    void removedUntil(Link link) {
        removed = link.position();
        removedHash = link.hash().bytes();
        if (verifiedHash != null && verified < removed) {
            verified = removed;
            verifiedHash = link.hash().bytes();
        }
    }

    /**
     * @return whether there is anything to tell: it has grown, or is broken and was not so before
     */
    boolean verified(Instant now, Point until, Optional<Breach> breach) {
        boolean grown = seen().map(Point::position).orElse(0L) < until.position();
        boolean news = breach.isPresent() && !breach.equals(broken());
        verifiedAt = now;
        if (grown) {
            verified = until.position();
            verifiedHash = until.hash().bytes();
        }
        brokenAt = breach.map(Breach::position).orElse(null);
        brokenWhy = breach.map(Breach::reason).orElse(null);
        return grown || news;
    }
}
