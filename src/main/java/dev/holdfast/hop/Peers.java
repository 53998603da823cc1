package dev.holdfast.hop;

import dev.holdfast.access.Project;
import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.event.Event;
import dev.holdfast.fleet.Address;
import dev.holdfast.fleet.Worker;
import dev.holdfast.fleet.Workers;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.SandboxState;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.volume.Volume;
import dev.holdfast.volume.VolumeId;
import dev.holdfast.volume.Volumes;
import dev.holdfast.worker.WorkerConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/** Which other node has what a request is about. The rows say so; it is kept for a moment. */
@ApplicationScoped
public class Peers {

    private static final Logger LOG = Logger.getLogger(Peers.class);

    /** A sandbox that runs elsewhere by now is looked for again after this long at the latest. */
    static final Duration KEPT = Duration.ofSeconds(3);

    private static final int MOST_KEPT = 10_000;

    private static final Set<SandboxState> WITHOUT_MACHINE =
            EnumSet.of(SandboxState.PAUSED, SandboxState.ENDED);

    private record Known(Peer peer, Instant until) {}

    @Inject Clock clock;
    @Inject WorkerConfig here;
    @Inject Projects projects;
    @Inject Sandboxes sandboxes;
    @Inject Volumes volumes;
    @Inject Workers workers;

    private final Map<SandboxId, Known> known = new ConcurrentHashMap<>();

    /** Until when it is taken for known that there is no other node to speak to. */
    private volatile Instant aloneUntil = Instant.EPOCH;

    /**
     * Whether there was no other node to speak to a moment ago; from memory, for threads that must
     * not wait. A sandbox or a volume on one that came since is not reached for that long.
     */
    public boolean knowsNobody() {
        return aloneUntil.isAfter(clock.instant());
    }

    /** Whether there was none when it was looked for last, however long ago that was. */
    public boolean foundNobody() {
        return aloneUntil.isAfter(Instant.EPOCH);
    }

    /** Whether there is no other node to speak to, by the rows. */
    public boolean findsNobody() {
        boolean alone = !workers.isAnyReachedBeside(here.id());
        aloneUntil = alone ? clock.instant().plus(KEPT) : Instant.EPOCH;
        return alone;
    }

    /** Where a sandbox was a moment ago; from memory, for threads that must not wait. */
    public Optional<Peer> known(SandboxId id) {
        return Optional.ofNullable(known.get(id))
                .filter(each -> each.until().isAfter(clock.instant()))
                .map(Known::peer);
    }

    /** A sandbox has gone from where it was. */
    public void forget(SandboxId id) {
        known.remove(id);
    }

    /** Every transition may change a sandbox's worker, and where a worker is. */
    void observe(@Observes Event event) {
        String kind = Event.sandbox("");
        String subject = event.subject();
        if (subject.startsWith(Workers.subject(""))) {
            known.values().removeIf(each -> subject.equals(Workers.subject(each.peer().worker())));
        }
        if (subject.startsWith(kind) && SandboxId.isWellFormed(subject.substring(kind.length()))) {
            forget(new SandboxId(subject.substring(kind.length())));
        }
    }

    /** Where a sandbox is; empty for this node, and where no other one can answer for it. */
    public Optional<Peer> of(SandboxId id) {
        return sandboxes.find(id).flatMap(this::of);
    }

    /** The same, as its row says. */
    public Optional<Peer> of(Sandbox row) {
        if (WITHOUT_MACHINE.contains(row.state())) {
            return Optional.empty();
        }
        Optional<Peer> peer = peer(row.worker());
        peer.ifPresent(found -> keep(row.id(), found));
        return peer;
    }

    /**
     * Whether it has a machine on another worker that nodes are to reach: if none was found to be
     * asked, that one cannot be reached now.
     */
    public boolean isOutOfReach(Sandbox row) {
        return !WITHOUT_MACHINE.contains(row.state())
                && !isHere(row)
                && workers.find(row.worker()).flatMap(Worker::address).isPresent();
    }

    /** Whether this node is its worker. */
    public boolean isHere(Sandbox row) {
        return row.worker().equals(here.id());
    }

    /**
     * Where the content of a project's volume is, as the project and the volume are named in a
     * path.
     */
    public Optional<Way> ofVolume(String project, String reference) {
        return projects.named(project)
                .map(Project::id)
                .flatMap((ProjectId id) -> volumes.find(id, reference))
                .flatMap(this::of);
    }

    /** The same of a volume by its own ID. */
    public Optional<Way> ofVolume(String id) {
        return VolumeId.parse(id).flatMap(volumes::find).flatMap(this::of);
    }

    private Optional<Way> of(Volume volume) {
        return peer(volume.worker()).map(peer -> Way.to(peer, volume.id()));
    }

    private Optional<Peer> peer(String worker) {
        return worker.equals(here.id())
                ? Optional.empty()
                : workers.reachable(worker)
                        .flatMap(row -> row.address().flatMap(at -> peer(row, at)));
    }

    private static Optional<Peer> peer(Worker worker, Address at) {
        try {
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getByName(at.host()), at.port());
            return Optional.of(new Peer(worker.id(), worker.incarnation(), at, address));
        } catch (UnknownHostException e) {
            LOG.warnf(
                    "Worker %s is said to be at %s, which is no known host",
                    worker.id(), at.host());
            return Optional.empty();
        }
    }

    private void keep(SandboxId id, Peer peer) {
        if (known.size() >= MOST_KEPT) {
            known.clear();
        }
        known.put(id, new Known(peer, clock.instant().plus(KEPT)));
    }
}
