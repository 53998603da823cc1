package dev.holdfast.drive;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.runtime.MachineFailure;
import dev.holdfast.runtime.MachineSpec;
import dev.holdfast.runtime.VolumeDisks;
import dev.holdfast.volume.Mount;
import dev.holdfast.volume.Volume;
import dev.holdfast.volume.VolumeId;
import dev.holdfast.volume.Volumes;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** The file systems of this worker's volumes. Every method blocks until done. */
@ApplicationScoped
public class Drives {

    private static final Logger LOG = Logger.getLogger(Drives.class);

    @Inject DriveConfig config;
    @Inject Volumes volumes;
    @Resource ManagedExecutorService executor;

    private VolumeDisks disks;

    @PostConstruct
    void begin() {
        disks = new VolumeDisks(config.directory(), config.home());
    }

    /**
     * What a machine shares with its host for these mounts.
     *
     * @throws Problem {@code volume_deleted}, {@code volume_elsewhere}, {@code volume_unavailable}
     */
    public List<MachineSpec.Share> shares(List<Mount> mounts) {
        return mounts.stream()
                .map(mount -> new MachineSpec.Share(content(existing(mount)), mount.path().value()))
                .toList();
    }

    /** Empty directories where these would be, for who only looks at what a snapshot holds. */
    public static List<MachineSpec.Share> hidden(List<Mount> mounts) {
        return mounts.stream()
                .map(mount -> new MachineSpec.Share(null, mount.path().value()))
                .toList();
    }

    /** How much of it is in use; empty where its file is on another worker, or not to be had. */
    public Optional<Room> room(Volume volume) {
        try {
            if (!isHere(volume)) {
                return Optional.empty();
            }
            if (!volume.isMade()) {
                return Optional.of(new Room(volume.terms().limit(), 0));
            }
            content(volume);
            VolumeDisks.Space space = disks.space(volume.id().value());
            return Optional.of(new Room(space.total(), space.used()));
        } catch (Problem | UncheckedIOException e) {
            LOG.debugf(e, "How full volume %s is cannot be said", volume.id());
            return Optional.empty();
        }
    }

    /** Makes it as large as its row says, if nothing has it mounted; else the next who can does. */
    public void fit(Volume volume) {
        if (isHere(volume) && volume.isMade()) {
            growIfDue(volume);
        }
    }

    /** Removes what was deleted, now or with {@link #sweep}. */
    public void removeSoon() {
        try {
            executor.execute(this::sweep);
        } catch (RejectedExecutionException full) {
            LOG.debug("A deleted volume is removed by the next sweep", full);
        }
    }

    /** Removes what was deleted and is still here. */
    public synchronized void sweep() {
        for (VolumeId id : volumes.leaving(config.worker())) {
            attempt(
                    () -> {
                        disks.remove(id.value());
                        volumes.removed(id);
                        LOG.infof("Volume %s is removed", id);
                    },
                    "Volume %s is removed later",
                    id);
        }
    }

    /** Lets go of all, after the machines. */
    public void stop() {
        disks.closeAll();
    }

    /**
     * Where a volume's content is on this host, made and mounted if it was not.
     *
     * @throws Problem {@code volume_elsewhere}, {@code volume_unavailable}
     */
    Path content(Volume volume) {
        requireHere(volume);
        return whole(
                volume,
                () -> {
                    require(volume);
                    growIfDue(volume);
                    disks.open(volume.id().value());
                    return disks.content(volume.id().value());
                });
    }

    Path incoming(Volume volume) {
        return disks.incoming(volume.id().value());
    }

    Path outgoing(Volume volume) {
        return disks.outgoing(volume.id().value());
    }

    /** Removes what was put there; whoever asked need not wait. */
    void discardSoon(Path outgoing) {
        try {
            executor.execute(() -> disks.discard(outgoing));
        } catch (RejectedExecutionException full) {
            LOG.debugf(full, "What is at %s is removed when it is mounted the next time", outgoing);
        }
    }

    private Volume existing(Mount mount) {
        return volumes.find(mount.volume())
                .orElseThrow(
                        () ->
                                new Problem(
                                        Reason.VOLUME_DELETED,
                                        "volume " + mount.name() + " has been deleted"));
    }

    private void require(Volume volume) {
        if (!disks.exists(volume.id().value())) {
            if (volume.isMade()) {
                throw new MachineFailure(
                        MachineFailure.Reason.FAILED,
                        "Volume " + volume.id() + " has lost its file");
            }
            disks.make(volume.id().value(), volume.terms().limit());
        }
        if (!volume.isMade()) {
            volumes.made(volume.id());
        }
    }

    /** A machine that is just ending may have it still. */
    private void growIfDue(Volume volume) {
        if (disks.isSmallerThan(volume.id().value(), volume.terms().limit())) {
            attempt(
                    () -> disks.grow(volume.id().value(), volume.terms().limit()),
                    "Volume %s grows later",
                    volume.id());
        }
    }

    private boolean isHere(Volume volume) {
        return volume.worker().equals(config.worker());
    }

    private void requireHere(Volume volume) {
        if (!isHere(volume)) {
            throw new Problem(
                            Reason.VOLUME_ELSEWHERE,
                            "Volume "
                                    + volume.name()
                                    + " is on worker "
                                    + volume.worker()
                                    + ". Ask that node.")
                    .with("worker", volume.worker());
        }
    }

    private static <T> T whole(Volume volume, Supplier<T> work) {
        try {
            return work.get();
        } catch (MachineFailure | UncheckedIOException e) {
            LOG.errorf(e, "Volume %s cannot be mounted", volume.id());
            throw new Problem(
                            Reason.VOLUME_UNAVAILABLE,
                            "Volume "
                                    + volume.name()
                                    + " cannot be mounted; the log of its worker says why.",
                            e)
                    .with("volume", volume.id().toString());
        }
    }

    private static void attempt(Runnable work, String otherwise, VolumeId id) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.warnf(e, otherwise, id);
        }
    }
}
