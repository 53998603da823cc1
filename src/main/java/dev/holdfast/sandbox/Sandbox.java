package dev.holdfast.sandbox;

import dev.holdfast.access.ProjectId;
import dev.holdfast.database.StringMapConverter;
import dev.holdfast.event.Event;
import dev.holdfast.event.EventType;
import dev.holdfast.event.Notice;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.template.Size;
import dev.holdfast.template.TemplateId;
import dev.holdfast.volume.Mount;
import dev.holdfast.volume.MountsConverter;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Transient;
import jakarta.persistence.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.annotations.ColumnTransformer;

/** A sandbox, as the catalogue knows it. It owns its transitions; nobody else writes its state. */
@Entity
public class Sandbox {

    private static final Duration PAUSE_AGAIN = Duration.ofMinutes(1);

    @Id private String id;
    private UUID projectId;
    private String templateId;
    private String templateDigest;
    private int generation;
    private UUID snapshotId;
    private UUID parentId;
    private UUID imageId;
    private boolean reboot;
    private String workerId;

    /** Of the other of its two states in a restore in place; only then. */
    private String otherWorkerId;

    private String machineId;
    private String runtimeId;

    @Enumerated(EnumType.STRING)
    private SandboxState state;

    private Instant stateSince;
    private UUID uploadId;
    private boolean secured;
    @Embedded private Lifecycle lifecycle;
    @Embedded private Idempotency idempotency;

    @Convert(converter = NetworkPolicyConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private NetworkPolicy network;

    @Convert(converter = StringMapConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private Map<String, String> metadata;

    @Convert(converter = StringMapConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private Map<String, String> environment;

    @Convert(converter = RestoreReportConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private RestoreReport restored;

    @Convert(converter = MountsConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private List<Mount> mounts = List.of();

    private int cpus;
    private int memoryMib;
    private int diskMib;

    @Column(name = "lifetime_seconds")
    private long lifetimeSeconds;

    private Instant createdAt;
    private String createdBy;
    private Instant startedAt;
    private Instant endAt;
    private Instant endedAt;

    @Enumerated(EnumType.STRING)
    private EndReason endReason;

    private String endDetail;
    private String endedBy;

    @Enumerated(EnumType.STRING)
    private EndReason parting;

    private String partingBy;

    /** Whether it is paused, or about to be, because its worker is drained and for nothing else. */
    private boolean drained;

    @Version private long version;

    /** What nobody has been told of. */
    @Transient private final List<Turn> turns = new ArrayList<>();

    protected Sandbox() {}

    Sandbox(SandboxOrder order, String workerId, Instant now) {
        this.id = order.id().value();
        this.projectId = order.project().value();
        this.templateId = order.template().value();
        this.templateDigest = order.templateDigest();
        this.generation = order.generation();
        this.snapshotId = order.snapshot().orElse(null);
        this.parentId = order.parent().orElse(null);
        this.imageId = order.image().orElse(null);
        this.reboot = order.reboot();
        this.workerId = workerId;
        enter(SandboxState.STARTING, now);
        this.secured = order.choices().secured();
        this.lifecycle = order.choices().lifecycle();
        this.idempotency = order.idempotency().orElse(null);
        this.network = order.choices().network();
        this.metadata = order.choices().metadata();
        this.environment = order.environment();
        this.mounts = order.mounts();
        this.cpus = order.size().cpus();
        this.memoryMib = order.size().memoryMebibytes();
        this.diskMib = order.size().diskMebibytes();
        this.lifetimeSeconds = order.choices().lifetime().toSeconds();
        this.createdAt = now;
        this.createdBy = order.createdBy();
        this.endAt = now.plus(order.choices().lifetime());
    }

    public SandboxId id() {
        return new SandboxId(id);
    }

    public ProjectId project() {
        return new ProjectId(projectId);
    }

    public TemplateId template() {
        return new TemplateId(templateId);
    }

    public String templateDigest() {
        return templateDigest;
    }

    /** Of the runtime that its machine needs; one of the first is never saved. */
    public int generation() {
        return generation;
    }

    /** The snapshot it was made from and which it occupies while it lives. */
    public Optional<UUID> snapshot() {
        return Optional.ofNullable(snapshotId);
    }

    /** The snapshot that its state descends from; of a fork that of its source. */
    public Optional<UUID> parent() {
        return Optional.ofNullable(parentId);
    }

    /**
     * The saved state that its next machine is made from: its own while it is paused, another's
     * until a fork has started.
     */
    public Optional<UUID> image() {
        return Optional.ofNullable(imageId);
    }

    /** Whether its next machine takes only the disk of the saved state. */
    public boolean isToReboot() {
        return reboot;
    }

    public String worker() {
        return workerId;
    }

    public Optional<String> machine() {
        return Optional.ofNullable(machineId);
    }

    /** The digest of the runtime build its machine runs with. */
    public Optional<String> runtimeBuild() {
        return Optional.ofNullable(runtimeId);
    }

    public SandboxState state() {
        return state;
    }

    /** How long it lives each time it begins to run. */
    public Duration lifetime() {
        return Duration.ofSeconds(lifetimeSeconds);
    }

    /** Since when it is in its state. */
    public Instant stateSince() {
        return stateSince;
    }

    /** The capture or pause in progress. */
    public Optional<UUID> upload() {
        return Optional.ofNullable(uploadId);
    }

    public boolean isSecured() {
        return secured;
    }

    /** What it may reach and who may reach it. */
    public NetworkPolicy network() {
        return network;
    }

    Optional<Idempotency> idempotency() {
        return Optional.ofNullable(idempotency);
    }

    public Lifecycle lifecycle() {
        return lifecycle;
    }

    public Map<String, String> metadata() {
        return Map.copyOf(metadata);
    }

    public Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    /** The volumes that its machine sees, and where. */
    public List<Mount> mounts() {
        return List.copyOf(mounts);
    }

    public Size size() {
        return new Size(cpus, memoryMib, diskMib);
    }

    /** What became of it when it was last made from a saved state. */
    public Optional<RestoreReport> restored() {
        return Optional.ofNullable(restored);
    }

    public Instant createdAt() {
        return createdAt;
    }

    /** Who made it, as the text of a principal. */
    public String createdBy() {
        return createdBy;
    }

    /** Empty until its machine runs. */
    public Optional<Instant> startedAt() {
        return Optional.ofNullable(startedAt);
    }

    public Instant endAt() {
        return endAt;
    }

    public Optional<EndReason> endReason() {
        return Optional.ofNullable(endReason);
    }

    /**
     * More about its end; of a paused one why it could not go on the last time, if it was tried.
     */
    public Optional<String> endDetail() {
        return Optional.ofNullable(endDetail);
    }

    /** Who ended it, as the text of a principal. */
    Optional<String> endedBy() {
        return Optional.ofNullable(endedBy);
    }

    /** Grows with each change, so that of two readings the later one is known. */
    public long version() {
        return version;
    }

    /**
     * Whether a saved state is taking the place of its own: that is being kept, or a machine made
     * from the other. Then it has two states and comes out with one of them.
     */
    public boolean isReplaced() {
        return otherWorkerId != null;
    }

    /**
     * A worker takes the order; false when it is not for that worker or somebody took it before, so
     * a redelivery starts nothing.
     */
    boolean claim(String worker, String machine, String runtimeBuild) {
        boolean ordered = state == SandboxState.STARTING || state == SandboxState.RESUMING;
        if (!ordered || machineId != null || !workerId.equals(worker)) {
            return false;
        }
        machineId = machine;
        runtimeId = runtimeBuild;
        return true;
    }

    /** Whether its next machine is made from this state, its own before the one it came from. */
    boolean goesOnFrom(UUID saved) {
        return image().or(this::snapshot).filter(saved::equals).isPresent();
    }

    /** Its next machine is made of this, as the saved state has it. */
    void take(Body body) {
        templateId = body.template().value();
        templateDigest = body.templateDigest();
        cpus = body.size().cpus();
        memoryMib = body.size().memoryMebibytes();
        diskMib = body.size().diskMebibytes();
        environment = body.environment();
        mounts = body.mounts();
    }

    /**
     * Its machine runs and is identified: its lifetime begins. False when it was ended or given up
     * meanwhile, so that this machine is nobody's.
     */
    boolean started(String machine, Optional<RestoreReport> report, Instant now) {
        if (state != SandboxState.STARTING && state != SandboxState.RESUMING
                || !machine.equals(machineId)) {
            return false;
        }
        enter(SandboxState.RUNNING, now);
        startedAt = now;
        restored = report.orElse(null);
        if (isReplaced()) {
            hangOn(imageId);
        } else if (!drained) {
            endAt = now.plusSeconds(lifetimeSeconds);
        }
        drained = false;
        forgetOther();
        imageId = null;
        return true;
    }

    private void hangOn(UUID snapshot) {
        snapshotId = snapshot;
        parentId = snapshot;
    }

    private void forgetOther() {
        otherWorkerId = null;
        reboot = false;
    }

    /**
     * Its machine could not be made. A new sandbox has then failed; one that was to go on is paused
     * as before, and nothing of its state is lost; one that was to go on from another state than
     * its own goes on from that.
     */
    boolean notStarted(String why, Instant now) {
        if (state == SandboxState.RESUMING) {
            if (isReplaced()) {
                goBack(why, now);
            } else {
                stayPaused(why, now);
            }
            return true;
        }
        return state == SandboxState.STARTING && end(EndReason.FAILED, why, "system", now);
    }

    /** The state before is what it hangs on by now, and is to be its machine's. */
    private void goBack(String why, Instant now) {
        enter(SandboxState.RESUMING, now);
        machineId = null;
        imageId = snapshotId;
        workerId = otherWorkerId;
        endDetail = why;
        forgetOther();
    }

    /** Nobody can try now: what was to go on stays paused, in any case with its own state. */
    void stayPaused(String why, Instant now) {
        enter(SandboxState.PAUSED, now);
        machineId = null;
        endDetail = why;
        if (isReplaced()) {
            imageId = snapshotId;
            endAt = now;
        }
        forgetOther();
    }

    /**
     * A machine is no more, or never came to run; false when it is not the one this has now. What
     * was to go on stays paused; whatever else needs a machine has ended.
     */
    boolean lostMachine(String machine, EndReason reason, String detail, Instant now) {
        if (!machine.equals(machineId)) {
            return false;
        }
        return state == SandboxState.RESUMING
                ? notStarted(detail == null ? reason.words() : detail, now)
                : end(reason, detail, "system", now);
    }

    /** A worker is lost; false when this is on another one by now, or needed no machine. */
    boolean lose(String worker, Instant now) {
        if (!workerId.equals(worker)) {
            return false;
        }
        return switch (state) {
            case PAUSED -> false;
            case RESUMING -> {
                stayPaused("its worker was lost", now);
                yield true;
            }
            default -> end(EndReason.WORKER_LOST, null, "system", now);
        };
    }

    void beginCapture(UUID upload, Instant now) {
        requireThatItCanBeSaved(Reason.GENERATION_UNSUPPORTED);
        take(SandboxState.SNAPSHOTTING, upload, now);
    }

    void beginPause(UUID upload, Instant now) {
        requireThatItCanBeSaved(Reason.PAUSE_UNSUPPORTED);
        take(SandboxState.PAUSING, upload, now);
    }

    /**
     * Its worker is being drained, so it is paused. Nobody who uses it wanted that: its lifetime
     * goes on, and any request for it lets it go on.
     */
    void beginDrain(UUID upload, Instant now) {
        beginPause(upload, now);
        drained = true;
    }

    /** Whether only the drain of its worker pauses it. */
    public boolean isDrained() {
        return drained && state != SandboxState.ENDED;
    }

    /** Whether a request for it lets it go on when it is paused. */
    public boolean wakesOnTraffic() {
        return lifecycle.autoResume() || isDrained();
    }

    /**
     * Somebody wants it paused, or its time is over and it is to be: it wakes no more by itself.
     */
    void keepPaused(Instant now) {
        if (state == SandboxState.PAUSED && drained) {
            endAt = now;
        }
        drained = false;
    }

    /** Whether its worker's drain has paused it and its lifetime is over by now. */
    boolean isOverdue(Instant now) {
        return drained && state == SandboxState.PAUSED && !endAt.isAfter(now);
    }

    /**
     * @throws Problem why no saved state can take the place of its own now
     */
    public void requireReplaceable() {
        requireThatItCanBeSaved(Reason.GENERATION_UNSUPPORTED);
        requireRunning();
    }

    /**
     * A saved state is to take the place of its own, which is kept first. While that is so it names
     * the other and holds it by that.
     */
    void beginReplacement(UUID upload, Replacement by, Instant now) {
        requireReplaceable();
        otherWorkerId = by.worker();
        imageId = by.image();
        reboot = by.reboot();
        take(SandboxState.PAUSING, upload, now);
    }

    /**
     * Its own state is kept, and that is what it hangs on until a machine made from the other runs.
     * False when nothing is to take its place, or it ended meanwhile.
     */
    boolean replace(UUID upload, UUID own, Instant now) {
        if (state != SandboxState.PAUSING || !isReplaced() || !upload.equals(uploadId)) {
            return false;
        }
        enter(SandboxState.RESUMING, now);
        uploadId = null;
        machineId = null;
        endDetail = null;
        hangOn(own);
        String home = workerId;
        workerId = otherWorkerId;
        otherWorkerId = home;
        return true;
    }

    /** Whether its machine stands still until this capture of it is over. */
    public boolean isStoppedFor(UUID upload) {
        return state == SandboxState.PAUSING && upload.equals(uploadId);
    }

    /** Its state is saved for the last time: it stands still from then on, and ends with that. */
    void beginParting(UUID upload, EndReason why, String actor, Instant now) {
        requireThatItCanBeSaved(Reason.GENERATION_UNSUPPORTED);
        take(SandboxState.PAUSING, upload, now);
        parting = why;
        partingBy = actor;
    }

    /** Whether the capture in progress is its last. */
    public boolean isParting() {
        return parting != null && state != SandboxState.ENDED;
    }

    /** Whether somebody killed it and it was, or is, captured before it ended. */
    boolean isKilledWithCapture() {
        return parting == EndReason.KILLED;
    }

    private void take(SandboxState next, UUID upload, Instant now) {
        requireRunning();
        enter(next, now);
        uploadId = upload;
        endDetail = null;
    }

    private void requireRunning() {
        switch (state) {
            case RUNNING -> {
                // as it has to be
            }
            case PAUSED ->
                    throw new Problem(
                            Reason.SANDBOX_NOT_RUNNING,
                            "Sandbox " + id + " is paused. Connect to it first.");
            case ENDED -> throw ended();
            default -> throw busy();
        }
    }

    /** Whether its state can be saved at all, whatever it is about. */
    public boolean canBePaused() {
        return generation >= 2;
    }

    /** Before anything is taken or reserved for it: it would only fail later. */
    private void requireThatItCanBeSaved(Reason otherwise) {
        if (!canBePaused() && state != SandboxState.ENDED) {
            throw new Problem(
                    otherwise,
                    "Sandbox "
                            + id
                            + " is of generation "
                            + generation
                            + " and can be neither captured, paused nor forked. Make one from a"
                            + " template of generation 2 for that.");
        }
    }

    /**
     * The capture is over, well or badly, or the pause came to nothing; the sandbox can be used and
     * killed as before. A pause at the timeout that failed is tried again later. If it was the last
     * one, the sandbox has ended.
     */
    void endCapture(UUID upload, Instant now) {
        if (!upload.equals(uploadId)) {
            return;
        }
        if (isParting()) {
            end(parting, null, partingBy, now);
            return;
        }
        if (state == SandboxState.PAUSING && !endAt.isAfter(now)) {
            endAt = now.plus(PAUSE_AGAIN);
        }
        enter(SandboxState.RUNNING, now);
        uploadId = null;
        drained = false;
        if (isReplaced()) {
            imageId = null;
            forgetOther();
        }
    }

    /** Its state is saved for good; false when it ended meanwhile. Its machine is nobody's now. */
    boolean paused(UUID upload, UUID image, Instant now) {
        if (!isStoppedFor(upload) || isReplaced()) {
            return false;
        }
        enter(SandboxState.PAUSED, now);
        uploadId = null;
        imageId = image;
        machineId = null;
        if (!drained) {
            endAt = now;
        }
        return true;
    }

    /**
     * It is to go on from its saved state; its timeout begins anew when it runs, unless that never
     * stopped.
     *
     * @param lifetime what somebody asks for; empty: what it had
     */
    void resume(String worker, Optional<Duration> lifetime, boolean fromDisk, Instant now) {
        switch (state) {
            case PAUSED -> {
                enter(SandboxState.RESUMING, now);
                workerId = worker;
                reboot = fromDisk;
                endDetail = null;
                lifetime.ifPresent(this::beginAnew);
            }
            case ENDED -> throw ended();
            default -> throw busy();
        }
    }

    private void beginAnew(Duration lifetime) {
        lifetimeSeconds = lifetime.toSeconds();
        drained = false;
    }

    /** An end that somebody asks for, which a capture in progress refuses. */
    void kill(String actor, Instant now) {
        switch (state) {
            case ENDED -> throw ended();
            case SNAPSHOTTING, PAUSING, RESUMING -> throw busy();
            default -> end(EndReason.KILLED, null, actor, now);
        }
    }

    /** An end that happened or is due, whatever the state; false when it had ended before. */
    boolean end(EndReason reason, String detail, String actor, Instant now) {
        if (state == SandboxState.ENDED) {
            return false;
        }
        boolean wasParting = isParting();
        enter(SandboxState.ENDED, now);
        uploadId = null;
        imageId = null;
        otherWorkerId = null;
        // What comes between the wish and the end does not change why it ends.
        endReason = wasParting ? parting : reason;
        endDetail = detail;
        endedBy = wasParting ? partingBy : actor;
        endedAt = now;
        return true;
    }

    /** Its machine is no more. */
    void gone() {
        if (state == SandboxState.ENDED) {
            machineId = null;
        }
    }

    /** Whether it is on its worker, and so only to be had with that. */
    public boolean isRunning() {
        return state == SandboxState.RUNNING || state == SandboxState.SNAPSHOTTING;
    }

    /** Whether it has ended and nothing of its machine runs any longer. */
    public boolean isGone() {
        return state == SandboxState.ENDED && machineId == null;
    }

    void setLifetime(Duration lifetime, Instant now) {
        if (isDrained()) {
            lifetimeSeconds = lifetime.toSeconds();
            endAt = now.plus(lifetime);
            return;
        }
        switch (state) {
            case RUNNING, SNAPSHOTTING -> {
                lifetimeSeconds = lifetime.toSeconds();
                endAt = now.plus(lifetime);
            }
            case STARTING, PAUSING -> throw busy();
            case ENDED -> throw ended();
            default -> {
                if (isReplaced()) {
                    throw busy();
                }
                throw new Problem(
                        Reason.SANDBOX_NOT_FOUND,
                        "Sandbox "
                                + id
                                + " is paused and its timeout does not run. Connect to it with"
                                + " the timeout it shall have.");
            }
        }
    }

    /** Longer if that is longer, never shorter. */
    void extend(Duration lifetime, Instant now) {
        switch (state) {
            case RUNNING, SNAPSHOTTING -> {
                Instant asked = now.plus(lifetime);
                if (asked.isAfter(endAt)) {
                    endAt = asked;
                }
            }
            case ENDED -> throw ended();
            default -> throw busy();
        }
    }

    /** What it may reach can be changed while it runs. */
    void changeNetwork(NetworkPolicy policy) {
        switch (state) {
            case RUNNING, SNAPSHOTTING -> network = policy;
            case PAUSED ->
                    throw new Problem(
                            Reason.SANDBOX_NOT_RUNNING,
                            "Sandbox "
                                    + id
                                    + " is paused. Connect to it first, then change its network.");
            case ENDED -> throw ended();
            default -> throw busy();
        }
    }

    /** A change came to nothing. */
    void restoreNetwork(NetworkPolicy before) {
        network = before;
    }

    boolean isDue(Instant now) {
        return state == SandboxState.RUNNING && !endAt.isAfter(now);
    }

    /** Whether it may have been idle for so long and no longer. */
    boolean isIdleAfter(Duration seen) {
        return state == SandboxState.RUNNING
                && lifecycle.idleTimeout().filter(idle -> idle.compareTo(seen) <= 0).isPresent();
    }

    void setIdleTimeout(Optional<Duration> idle) {
        if (state == SandboxState.ENDED) {
            throw ended();
        }
        lifecycle = lifecycle.idleFor(idle);
    }

    /** What it has gone through since it was asked the last time, or that it has changed. */
    Event takeEvent() {
        List<Notice> notices = turns.stream().map(this::notice).toList();
        turns.clear();
        return new Event(Event.sandbox(id), state.name(), notices);
    }

    private EventType type(Turn turn) {
        return turn.to() == SandboxState.PAUSING && isParting()
                ? EventType.SANDBOX_CAPTURE_STARTED
                : turn.type();
    }

    private Notice notice(Turn turn) {
        Notice notice = Notice.of(type(turn), id, projectId);
        return switch (turn.to()) {
            case STARTING ->
                    notice.with("templateId", templateId)
                            .with("snapshotId", snapshotId)
                            .with("createdBy", createdBy);
            case SNAPSHOTTING, PAUSING ->
                    notice.with("captureId", uploadId)
                            .with("snapshotId", turn.replaced() ? imageId : null);
            case RUNNING -> notice.with("snapshotId", turn.replaced() ? snapshotId : null);
            case RESUMING -> notice.with("detail", endDetail);
            case ENDED ->
                    notice.with("reason", endReason.words())
                            .with("detail", endDetail)
                            .with("endedBy", endedBy);
            case PAUSED -> notice.with("detail", endDetail);
            default -> notice;
        };
    }

    private void enter(SandboxState next, Instant now) {
        turns.add(new Turn(Optional.ofNullable(state), next, isReplaced()));
        state = next;
        stateSince = now;
    }

    /** Refused because it is in the middle of something; to ask again later helps. */
    public Problem busy() {
        Problem problem =
                new Problem(
                        Reason.SANDBOX_BUSY,
                        "Sandbox "
                                + id
                                + " is "
                                + state.word()
                                + ". Wait for that to end, then ask again.");
        return uploadId == null ? problem : problem.about(projectId, uploadId);
    }

    /** Not there any more; its owner is told since when and why. */
    public Problem ended() {
        if (state != SandboxState.ENDED) {
            return notFound(id);
        }
        String why = endReason.words() + (endDetail == null ? "" : ": " + endDetail);
        return new Problem(
                        Reason.SANDBOX_NOT_FOUND,
                        "Sandbox \""
                                + id
                                + "\" doesn't exist any more: it ended at "
                                + endedAt
                                + " ("
                                + why
                                + ").")
                .with("endReason", endReason.words())
                .with("endedAt", endedAt.toString());
    }

    static Problem notFound(String id) {
        return new Problem(
                Reason.SANDBOX_NOT_FOUND,
                "Sandbox \"" + id + "\" doesn't exist or you don't have access to it.");
    }
}
