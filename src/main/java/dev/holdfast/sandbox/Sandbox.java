package dev.holdfast.sandbox;

import dev.holdfast.access.ProjectId;
import dev.holdfast.database.StringMapConverter;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.template.Size;
import dev.holdfast.template.TemplateId;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.annotations.ColumnTransformer;

/** A sandbox, as the catalogue knows it. It owns its transitions; nobody else writes its state. */
@Entity
public class Sandbox {

    @Id private String id;
    private UUID projectId;
    private String templateId;
    private String templateDigest;
    private UUID snapshotId;
    private String workerId;
    private String machineId;
    private String runtimeId;

    @Enumerated(EnumType.STRING)
    private SandboxState state;

    private UUID uploadId;
    private boolean secured;

    @Convert(converter = NetworkPolicyConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private NetworkPolicy network;

    @Convert(converter = StringMapConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private Map<String, String> metadata;

    @Convert(converter = StringMapConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private Map<String, String> environment;

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
    @Version private long version;

    protected Sandbox() {}

    Sandbox(SandboxOrder order, String workerId, Instant now) {
        this.id = order.id().value();
        this.projectId = order.project().value();
        this.templateId = order.template().value();
        this.templateDigest = order.templateDigest();
        this.snapshotId = order.snapshot().orElse(null);
        this.workerId = workerId;
        this.state = SandboxState.STARTING;
        this.secured = order.choices().secured();
        this.network = order.choices().network();
        this.metadata = order.choices().metadata();
        this.environment = order.environment();
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

    /** The snapshot it was made from and which it occupies while it lives. */
    public Optional<UUID> snapshot() {
        return Optional.ofNullable(snapshotId);
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

    public boolean isSecured() {
        return secured;
    }

    /** What it may reach and who may reach it. */
    public NetworkPolicy network() {
        return network;
    }

    public Map<String, String> metadata() {
        return Map.copyOf(metadata);
    }

    public Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    public Size size() {
        return new Size(cpus, memoryMib, diskMib);
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

    public Optional<String> endDetail() {
        return Optional.ofNullable(endDetail);
    }

    /** Grows with each change, so that of two readings the later one is known. */
    public long version() {
        return version;
    }

    /**
     * A worker takes the order; false when somebody took it before, so a redelivery starts nothing.
     */
    boolean claim(String machine, String runtimeBuild) {
        if (state != SandboxState.STARTING || machineId != null) {
            return false;
        }
        machineId = machine;
        runtimeId = runtimeBuild;
        return true;
    }

    /**
     * Its machine runs and is identified: its lifetime begins. False when it was ended meanwhile.
     */
    boolean started(Instant now) {
        if (state != SandboxState.STARTING) {
            return false;
        }
        state = SandboxState.RUNNING;
        startedAt = now;
        endAt = now.plusSeconds(lifetimeSeconds);
        return true;
    }

    void beginCapture(UUID upload) {
        switch (state) {
            case RUNNING -> {
                state = SandboxState.SNAPSHOTTING;
                uploadId = upload;
            }
            case PAUSED ->
                    throw new Problem(
                            Reason.SANDBOX_NOT_RUNNING,
                            "Sandbox " + id + " is paused. Connect to it first, then capture it.");
            case ENDED -> throw ended();
            default -> throw busy();
        }
    }

    /** The capture is over, well or badly; the sandbox can be used and killed as before. */
    void endCapture(UUID upload) {
        if (state == SandboxState.SNAPSHOTTING && upload.equals(uploadId)) {
            state = SandboxState.RUNNING;
            uploadId = null;
        }
    }

    /** An end that somebody asks for, which a capture in progress refuses. */
    void kill(String actor, Instant now) {
        switch (state) {
            case ENDED -> throw ended();
            case SNAPSHOTTING -> throw busy();
            default -> end(EndReason.KILLED, null, actor, now);
        }
    }

    /** An end that happened or is due, whatever the state; false when it had ended before. */
    boolean end(EndReason reason, String detail, String actor, Instant now) {
        if (state == SandboxState.ENDED) {
            return false;
        }
        state = SandboxState.ENDED;
        uploadId = null;
        endReason = reason;
        endDetail = detail;
        endedBy = actor;
        endedAt = now;
        return true;
    }

    /** Its machine is no more. */
    void gone() {
        if (state == SandboxState.ENDED) {
            machineId = null;
        }
    }

    /** Whether it has ended and nothing of its machine runs any longer. */
    public boolean isGone() {
        return state == SandboxState.ENDED && machineId == null;
    }

    void setLifetime(Duration lifetime, Instant now) {
        switch (state) {
            case RUNNING, SNAPSHOTTING -> {
                lifetimeSeconds = lifetime.toSeconds();
                endAt = now.plus(lifetime);
            }
            case STARTING, PAUSING -> throw busy();
            default -> throw ended();
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

    private Problem busy() {
        Problem problem =
                new Problem(
                        Reason.SANDBOX_BUSY,
                        "Sandbox "
                                + id
                                + " is "
                                + state.word()
                                + ". Wait for that to end, then ask again.");
        return uploadId == null ? problem : problem.with("uploadId", uploadId.toString());
    }

    /** Not there any more; its owner is told since when and why. */
    Problem ended() {
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
