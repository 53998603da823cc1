package dev.holdfast.drive;

import dev.holdfast.fleet.Workers;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.runtime.MachineFailure;
import dev.holdfast.runtime.MachineSpec;
import dev.holdfast.runtime.VolumeDisks;
import dev.holdfast.volume.Homes;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** The file systems of this worker's volumes. Every method blocks until done. */
@ApplicationScoped
public class Drives {

    private static final Logger LOG = Logger.getLogger(Drives.class);

    /** How long somebody who asks waits for others to be done with a volume. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The same of a machine, which nobody can start again for who asked for it. */
    private static final Duration LONG_PATIENCE = Duration.ofMinutes(1);

    @Inject DriveConfig config;
    @Inject Homes homes;
    @Inject Volumes volumes;
    @Inject Workers workers;
    @Resource ManagedExecutorService executor;

    private final ConcurrentMap<VolumeId, Gate> gates = new ConcurrentHashMap<>();

    private VolumeDisks disks;

    @PostConstruct
    void begin() {
        disks = new VolumeDisks(config.directory(), config.home(), config.reserve());
    }

    /**
     * What a machine that is about to be made shares with its host for these mounts.
     *
     * @throws Problem {@code volume_deleted}, {@code volume_elsewhere}, {@code volume_unavailable},
     *     {@code volume_busy}, {@code disk_full}
     */
    public Lent lend(List<Mount> mounts) {
        List<MachineSpec.Share> shares = new ArrayList<>();
        List<Stay> stays = new ArrayList<>();
        try {
            for (Mount mount : mounts) {
                Stay stay = enter(existing(mount), LONG_PATIENCE);
                stays.add(stay);
                shares.add(new MachineSpec.Share(stay.root(), mount.path().value()));
            }
            return new Lent(shares, stays);
        } catch (RuntimeException e) {
            stays.forEach(Stay::close);
            throw e;
        }
    }

    /** Empty directories where these would be, for who only looks at what a snapshot holds. */
    public static List<MachineSpec.Share> hidden(List<Mount> mounts) {
        return mounts.stream()
                .map(mount -> new MachineSpec.Share(null, mount.path().value()))
                .toList();
    }

    /** How much of it is in use; empty where its file is on another worker, or not to be had. */
    public Optional<Room> room(Volume volume) {
        if (!isHere(volume)) {
            return Optional.empty();
        }
        if (!volume.isMade()) {
            return Optional.of(new Room(volume.terms().limit(), 0));
        }
        try (Stay stay = enter(volume, Duration.ZERO)) {
            VolumeDisks.Space space = disks.space(volume.id().value());
            return Optional.of(new Room(space.total(), space.used()));
        } catch (Problem | UncheckedIOException e) {
            LOG.debugf(e, "How full volume %s is cannot be said", volume.id());
            return Optional.empty();
        }
    }

    /**
     * Makes a volume larger while nobody is on it: its row first, so that what a crash leaves is a
     * file that the next who can makes as large as the row says.
     *
     * @param change changes the row; whatever it refuses with, nothing was done
     * @throws Problem {@code volume_busy} when somebody stays on it for too long
     */
    public Volume grow(Volume volume, Supplier<Volume> change) {
        if (!isHere(volume)) {
            return change.get(); // its worker grows it when it is used the next time
        }
        tellRoom();
        try (Gate.Pass alone =
                gate(volume.id())
                        .alone(PATIENCE)
                        .orElseThrow(() -> Barred.busy(volume, PATIENCE))) {
            Volume larger = change.get();
            growIfDue(larger);
            return larger;
        }
    }

    /** Has everybody know how much room this worker's disk has for volumes. */
    public void tellRoom() {
        try {
            workers.tellRoom(config.worker(), disks.room());
        } catch (UncheckedIOException e) {
            LOG.debugf(e, "Worker %s has no place for volumes", config.worker());
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
                    () -> gate(id).alone(Duration.ZERO).ifPresent(pass -> remove(id, pass)),
                    "Volume %s is removed later",
                    id);
        }
    }

    /** Lets go of all, after the machines. */
    public void stop() {
        disks.closeAll();
    }

    /**
     * Comes onto a volume, whose file system is made and mounted if it was not.
     *
     * @throws Problem {@code volume_not_found}, {@code volume_elsewhere}, {@code
     *     volume_unavailable}, {@code volume_busy}, {@code disk_full}
     */
    Stay enter(Volume volume) {
        return enter(volume, PATIENCE);
    }

    /**
     * That it is not deleted, after the caller came onto it.
     *
     * @throws Problem {@code volume_not_found}
     */
    Volume kept(Volume volume) {
        return volumes.find(volume.id()).orElseThrow(() -> Barred.deleted(volume));
    }

    /** Removes what was put there; whoever asked need not wait. */
    void discardSoon(Volume volume, Path outgoing) {
        try {
            executor.execute(() -> discard(volume, outgoing));
        } catch (RejectedExecutionException full) {
            LOG.debugf(full, "What is at %s is removed when it is mounted the next time", outgoing);
        }
    }

    /** What this leaves goes when the volume is mounted the next time. */
    private void discard(Volume volume, Path outgoing) {
        gate(volume.id())
                .together(PATIENCE)
                .ifPresent(
                        pass -> {
                            try (pass) {
                                disks.discard(outgoing);
                            }
                        });
    }

    /**
     * The row is read again behind the gate: whoever removes the file was there before or waits.
     */
    private Stay enter(Volume volume, Duration patience) {
        requireHere(volume);
        if (isToGrow(volume)) {
            gate(volume.id()).alone(Duration.ZERO).ifPresent(pass -> growAlone(volume, pass));
        }
        Gate.Pass pass =
                gate(volume.id())
                        .together(patience)
                        .orElseThrow(() -> Barred.busy(volume, PATIENCE));
        UUID id = volume.id().value();
        try {
            return whole(
                    volume,
                    () -> {
                        require(kept(volume));
                        disks.open(id);
                        return new Stay(
                                disks.content(id),
                                () -> disks.incoming(id),
                                () -> disks.outgoing(id),
                                pass);
                    });
        } catch (RuntimeException e) {
            pass.close();
            throw e;
        }
    }

    private Gate gate(VolumeId id) {
        return gates.computeIfAbsent(id, any -> new Gate());
    }

    private void remove(VolumeId id, Gate.Pass alone) {
        try (alone) {
            disks.remove(id.value());
            volumes.removed(id);
            gates.remove(id);
            LOG.infof("Volume %s is removed", id);
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
        UUID id = volume.id().value();
        if (!disks.exists(id)) {
            if (volume.isMade()) {
                throw new MachineFailure(
                        MachineFailure.Reason.FAILED,
                        "Volume " + volume.id() + " has lost its file");
            }
            disks.make(id, volume.terms().limit());
        }
        if (volume.held() < disks.size(id)) {
            disks.fill(id);
            tellTaken(volume.id());
        }
    }

    /** The disk's room first: what was promised counts until that has less by it. */
    private void tellTaken(VolumeId id) {
        tellRoom();
        volumes.made(id, disks.size(id.value()));
    }

    private boolean isToGrow(Volume volume) {
        return disks.isToGrow(volume.id().value(), volume.terms().limit());
    }

    private void growAlone(Volume volume, Gate.Pass alone) {
        try (alone) {
            growIfDue(volume);
        }
    }

    /** A machine that is just ending may have it still. */
    private void growIfDue(Volume volume) {
        UUID id = volume.id().value();
        if (isToGrow(volume)) {
            attempt(
                    () -> {
                        disks.grow(id, volume.terms().limit());
                        tellTaken(volume.id());
                    },
                    "Volume %s grows later",
                    volume.id());
        }
    }

    private boolean isHere(Volume volume) {
        return volume.worker().equals(config.worker());
    }

    private void requireHere(Volume volume) {
        if (!isHere(volume)) {
            homes.requireReachable(volume);
            throw Barred.elsewhere(volume);
        }
    }

    private static <T> T whole(Volume volume, Supplier<T> work) {
        try {
            return work.get();
        } catch (MachineFailure | UncheckedIOException e) {
            LOG.errorf(e, "Volume %s cannot be mounted", volume.id());
            throw Barred.unmountable(volume, e);
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
