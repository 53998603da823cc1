package dev.holdfast.volume;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventType;
import dev.holdfast.event.Events;
import dev.holdfast.event.Notice;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** The volumes of projects. */
@Stateless
public class Volumes {

    /** In the order of a project's list. */
    public record Place(Instant createdAt, VolumeId id) {}

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject VolumeConfig config;
    @Inject DatabaseTime time;
    @Inject Events events;
    @Inject Homes homes;
    @Inject Projects projects;
    @Inject Mountings mountings;

    /**
     * A page of a project's volumes, the oldest first.
     *
     * @param after where the page begins
     */
    public List<Volume> list(ProjectId project, Optional<Place> after, int limit) {
        var query =
                em.createQuery(
                                "select v from Volume v where v.projectId = :project"
                                        + " and v.deletedAt is null"
                                        + (after.isPresent()
                                                ? " and (v.createdAt > :at or v.createdAt = :at"
                                                        + " and v.id > :id)"
                                                : "")
                                        + " order by v.createdAt, v.id",
                                Volume.class)
                        .setParameter("project", project.value())
                        .setMaxResults(limit);
        after.ifPresent(
                last -> {
                    query.setParameter("at", last.createdAt());
                    query.setParameter("id", last.id().value());
                });
        return query.getResultList();
    }

    /** By ID or by name. */
    public Optional<Volume> find(ProjectId project, String reference) {
        return found(project, reference, LockModeType.NONE);
    }

    /**
     * @throws Problem {@code volume_not_found}
     */
    public Volume get(ProjectId project, String reference) {
        return find(project, reference).orElseThrow(() -> Absent.volume(reference));
    }

    /** One that is not deleted, whoever asks. */
    public Optional<Volume> find(VolumeId id) {
        return Optional.ofNullable(em.find(Volume.class, id.value()))
                .filter(volume -> !volume.isDeleted());
    }

    public Allotment allotment(ProjectId project) {
        Object[] sums =
                em.createQuery(
                                "select count(v), coalesce(sum(v.limitBytes), 0L) from Volume v"
                                        + " where v.projectId = :project",
                                Object[].class)
                        .setParameter("project", project.value())
                        .getSingleResult();
        return new Allotment(
                ((Number) sums[0]).longValue(),
                config.most(),
                ((Number) sums[1]).longValue(),
                config.projectBytes());
    }

    /** The limit that one is given when nobody says otherwise. */
    public long usual() {
        return config.usualBytes();
    }

    /**
     * Its file is made when it is first needed.
     *
     * @param near the worker that gets it if it can
     * @throws Problem {@code name_taken}, {@code quota_count_exceeded}, {@code
     *     quota_bytes_exceeded}, {@code no_worker}, {@code disk_full}
     */
    public Volume create(
            ProjectId project, VolumeName name, VolumeTerms terms, String near, String actor) {
        projects.lock(project);
        terms.requireWithin(config.largestBytes());
        if (find(project, name.value()).isPresent()) {
            throw new Problem(
                            Reason.NAME_TAKEN,
                            "This project has a volume \""
                                    + name
                                    + "\" already. Take another name.")
                    .with("name", name.value());
        }
        requireRoom(project, 1, terms.limit());
        String worker = homes.pick(terms.limit(), near);
        Volume made = new Volume(project, name, terms, worker, actor, time.now());
        em.persist(made);
        audit.done(deed(Action.VOLUME_CREATE, made).with("limitBytes", terms.limit()));
        publish(EventType.VOLUME_CREATED, made, actor);
        return made;
    }

    /**
     * Another note, or more room; whoever has its file makes that larger.
     *
     * @param seen the version that the caller saw, if it matters to it
     * @throws Problem {@code volume_not_found}, {@code quota_bytes_exceeded}, {@code volume_in_use}
     *     when it is to grow and a sandbox has it mounted, {@code disk_full}
     */
    public Volume change(
            ProjectId project,
            String reference,
            UnaryOperator<VolumeTerms> change,
            OptionalLong seen) {
        projects.lock(project);
        Volume volume = locked(project, reference);
        volume.requireVersion(seen);
        VolumeTerms before = volume.terms();
        VolumeTerms asked = change.apply(before);
        if (asked.limit() != before.limit()) {
            requireGrowing(volume, before, asked);
        }
        volume.agree(asked);
        em.flush();
        audit.done(deed(Action.VOLUME_CHANGE, volume).with("limitBytes", asked.limit()));
        return volume;
    }

    /**
     * From now on nobody finds it; its file goes soon. Snapshots that mount it stay, and cannot be
     * restored.
     *
     * @throws Problem {@code volume_not_found}, {@code volume_in_use}
     */
    public Volume delete(ProjectId project, String reference, String actor) {
        Volume volume = locked(project, reference);
        requireUnused(volume, "deleted");
        volume.delete(time.now());
        audit.done(deed(Action.VOLUME_DELETE, volume));
        publish(EventType.VOLUME_DELETED, volume, actor);
        return volume;
    }

    /** By ID or by name; until the caller's transaction ends it is not deleted. */
    public Optional<Volume> kept(ProjectId project, String reference) {
        return found(project, reference, LockModeType.PESSIMISTIC_READ);
    }

    /** Those that were deleted and whose file a worker may still have. */
    public List<VolumeId> leaving(String worker) {
        return em.createQuery(
                        "select v.id from Volume v where v.workerId = :worker"
                                + " and v.deletedAt is not null order by v.id",
                        UUID.class)
                .setParameter("worker", worker)
                .getResultStream()
                .map(VolumeId::new)
                .toList();
    }

    /**
     * Its file is there and has taken so much of the disk. For who has seen its version nothing
     * changes by that.
     */
    public void made(VolumeId id, long bytes) {
        em.createQuery("update Volume v set v.made = true, v.heldBytes = :bytes where v.id = :id")
                .setParameter("bytes", bytes)
                .setParameter("id", id.value())
                .executeUpdate();
    }

    /** Its file is gone. */
    public void removed(VolumeId id) {
        em.createQuery("delete from Volume v where v.id = :id and v.deletedAt is not null")
                .setParameter("id", id.value())
                .executeUpdate();
    }

    /**
     * Writes down that somebody changed something in it past any sandbox.
     *
     * @param what {@code upload}, {@code remove}, ...
     */
    public void touched(Volume volume, String what, String path, String actor) {
        audit.done(
                deed(Action.VOLUME_WRITE, volume)
                        .by(actor)
                        .with("operation", what)
                        .with("path", path));
    }

    private Volume locked(ProjectId project, String reference) {
        return found(project, reference, LockModeType.PESSIMISTIC_WRITE)
                .orElseThrow(() -> Absent.volume(reference));
    }

    private Optional<Volume> found(ProjectId project, String reference, LockModeType lock) {
        Optional<VolumeId> id = VolumeId.parse(reference);
        return em.createQuery(
                        "select v from Volume v where v.projectId = :project"
                                + " and v.deletedAt is null and "
                                + (id.isPresent() ? "v.id" : "v.name")
                                + " = :reference",
                        Volume.class)
                .setParameter("project", project.value())
                .setParameter("reference", id.<Object>map(VolumeId::value).orElse(reference))
                .setLockMode(lock)
                .getResultStream()
                .findFirst();
    }

    private void requireGrowing(Volume volume, VolumeTerms before, VolumeTerms asked) {
        if (asked.limit() < before.limit()) {
            throw Problem.invalid(
                            "limitBytes",
                            "A volume grows and does not shrink: \"limitBytes\" is at least "
                                    + before.limit()
                                    + ". Copy what is needed into a smaller one.")
                    .with("limit", before.limit());
        }
        asked.requireWithin(config.largestBytes());
        requireRoom(volume.project(), 0, asked.limit() - before.limit());
        requireUnused(volume, "made larger");
        homes.requireReachable(volume);
        homes.requireRoom(volume.worker(), asked.limit() - before.limit());
    }

    private void requireUnused(Volume volume, String what) {
        List<String> sandboxes = mountings.sandboxes(volume.id());
        if (!sandboxes.isEmpty()) {
            throw new Problem(
                            Reason.VOLUME_IN_USE,
                            "Volume "
                                    + volume.name()
                                    + " cannot be "
                                    + what
                                    + ": it is mounted in "
                                    + String.join(", ", sandboxes.stream().limit(5).toList())
                                    + (sandboxes.size() > 5 ? " and others" : "")
                                    + ". End these sandboxes first, the paused ones too.")
                    .with("sandboxIDs", sandboxes);
        }
    }

    private void requireRoom(ProjectId project, int more, long bytes) {
        Allotment now = allotment(project);
        if (now.volumes() + more > now.mostVolumes()) {
            throw new Problem(
                            Reason.QUOTA_COUNT_EXCEEDED,
                            "This project may have "
                                    + now.mostVolumes()
                                    + " volumes and has "
                                    + now.volumes()
                                    + ". Delete one first.")
                    .with("limit", now.mostVolumes())
                    .with("used", now.volumes())
                    .with("needed", more);
        }
        if (now.bytes() + bytes > now.mostBytes()) {
            throw new Problem(
                            Reason.QUOTA_BYTES_EXCEEDED,
                            "The volumes of this project may have "
                                    + now.mostBytes()
                                    + " bytes together and have "
                                    + now.bytes()
                                    + ". Take a smaller limit, or delete a volume first.")
                    .with("limit", now.mostBytes())
                    .with("used", now.bytes())
                    .with("needed", bytes);
        }
    }

    private void publish(EventType type, Volume volume, String actor) {
        events.publish(
                new Event(
                        "volume:" + volume.id(),
                        volume.isDeleted() ? "DELETED" : "READY",
                        List.of(
                                Notice.of(type, volume.id(), volume.project().value())
                                        .with("name", volume.name())
                                        .with("by", actor))));
    }

    private static Deed deed(Action action, Volume volume) {
        return Deed.of(action, new Subject("volume", volume.id().toString()))
                .in(volume.project().value())
                .with("name", volume.name());
    }
}
