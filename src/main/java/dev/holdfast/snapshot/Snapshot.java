package dev.holdfast.snapshot;

import dev.holdfast.access.ProjectId;
import dev.holdfast.database.StringMapConverter;
import dev.holdfast.problem.Precondition;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.Idempotency;
import dev.holdfast.sandbox.Lifecycle;
import dev.holdfast.sandbox.NetworkPolicy;
import dev.holdfast.sandbox.NetworkPolicyConverter;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.template.Size;
import dev.holdfast.template.TemplateId;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import org.hibernate.annotations.ColumnTransformer;

/** A saved state, from the acceptance of its capture until its objects are gone. */
@Entity
public class Snapshot {

    /** A failed capture stays for its caller to read before its row goes. */
    private static final Duration FAILURE_SHOWN = Duration.ofMinutes(5);

    /** Whoever waits for the pause reads its outcome from the row, also when it is over again. */
    private static final Duration PAUSE_SHOWN = Duration.ofSeconds(30);

    @Id private UUID id;
    private UUID uploadId;
    private UUID projectId;

    @Enumerated(EnumType.STRING)
    private Kind kind;

    @Enumerated(EnumType.STRING)
    private SnapshotState state;

    @Enumerated(EnumType.STRING)
    private Phase phase;

    private String shortName;
    private String tag;
    private boolean nameHeld;
    private String sourceSandboxId;
    private UUID parentId;
    private String templateId;
    private String templateDigest;
    private String workerId;
    private String runtimeId;
    private String platform;
    private String architecture;
    private String cpuFeatures;
    private Integer agentProtocol;
    private Integer stateFormat;

    private int cpus;
    private int memoryMib;
    private int diskMib;
    private boolean secured;
    private boolean memory;
    @Embedded private Lifecycle lifecycle;

    @Convert(converter = NetworkPolicyConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private NetworkPolicy network;

    @Convert(converter = StringMapConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private Map<String, String> metadata;

    @Convert(converter = StringMapConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private Map<String, String> environment;

    private String note;

    @Convert(converter = StringMapConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private Map<String, String> labels = Map.of();

    /** Written past the version: a restore is no change of what somebody has read. */
    @Column(insertable = false, updatable = false)
    private Instant lastRestoredAt;

    @Enumerated(EnumType.STRING)
    private PartsState partsState;

    private Instant partsCheckedAt;

    private Long logicalBytes;
    private Long storedBytes;
    private Long freezeMillis;
    private Instant createdAt;
    private String createdBy;
    private Instant deadlineAt;
    private Instant savedAt;
    private Instant expiresAt;
    private Long retentionSeconds;
    private Long expiryWarnedSeconds;
    private String restoreFailure;
    private Instant restoreFailedAt;

    @Enumerated(EnumType.STRING)
    private RemovalReason removalReason;

    private Instant removedAt;
    private String failure;

    @Enumerated(EnumType.STRING)
    private Reason failureReason;

    @Convert(converter = StringMapConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private Map<String, String> failureFigures = Map.of();

    private long bytesDone;
    private Long bytesExpected;
    @Embedded private Idempotency idempotency;
    private int cleanupAttempts;
    private Instant cleanupAfter;
    private String cleanupError;
    private long changeNumber;

    /** Written with the row and then past it, see {@link Changes}. */
    @Column(updatable = false)
    private long storedChange;

    @Version private long version;

    protected Snapshot() {}

    Snapshot(
            UploadId upload,
            Kind kind,
            Optional<SnapshotName> name,
            boolean memory,
            Sandbox source,
            String createdBy,
            Instant now,
            Instant deadline) {
        this.id = SnapshotId.random().value();
        this.uploadId = upload.value();
        this.projectId = source.project().value();
        this.kind = kind;
        this.state = SnapshotState.UPLOADING;
        this.phase = Phase.ACCEPTED;
        this.shortName = name.map(SnapshotName::shortName).orElse(null);
        this.tag = name.map(SnapshotName::tag).orElse(null);
        this.nameHeld = name.isPresent();
        this.sourceSandboxId = source.id().value();
        this.parentId = source.snapshot().orElse(null);
        this.templateId = source.template().value();
        this.templateDigest = source.templateDigest();
        this.workerId = source.worker();
        this.cpus = source.size().cpus();
        this.memoryMib = source.size().memoryMebibytes();
        this.diskMib = source.size().diskMebibytes();
        this.secured = source.isSecured();
        this.memory = memory;
        this.lifecycle = source.lifecycle();
        this.network = source.network();
        this.metadata = source.metadata();
        this.environment = source.environment();
        this.partsState = PartsState.PENDING;
        this.createdAt = now;
        this.createdBy = createdBy;
        this.deadlineAt = deadline;
    }

    /**
     * One that was saved and of which the catalogue has lost the row.
     *
     * @param amended what was changed since
     */
    Snapshot(Recovered found, Amended amended) {
        this.id = found.id().value();
        this.uploadId = found.upload().value();
        this.projectId = found.project().value();
        this.kind = found.kind();
        this.state = SnapshotState.UPLOADING;
        this.shortName = found.name().map(SnapshotName::shortName).orElse(null);
        this.tag = found.name().map(SnapshotName::tag).orElse(null);
        this.nameHeld = found.name().isPresent();
        this.sourceSandboxId = found.source().sandbox().value();
        this.parentId = found.source().parent().map(SnapshotId::value).orElse(null);
        this.templateId = found.source().template().value();
        this.templateDigest = found.source().templateDigest();
        this.workerId = found.source().worker();
        this.cpus = found.settings().size().cpus();
        this.memoryMib = found.settings().size().memoryMebibytes();
        this.diskMib = found.settings().size().diskMebibytes();
        this.secured = found.settings().secured();
        this.memory = found.settings().memory();
        this.lifecycle = found.settings().lifecycle();
        this.network = found.settings().network();
        this.metadata = found.settings().metadata();
        this.environment = found.settings().environment();
        this.createdAt = found.createdAt();
        this.createdBy = found.createdBy();
        this.deadlineAt = found.sealed().savedAt();
        seal(found.sealed());
        take(amended);
    }

    public SnapshotId id() {
        return new SnapshotId(id);
    }

    public UploadId upload() {
        return new UploadId(uploadId);
    }

    public ProjectId project() {
        return new ProjectId(projectId);
    }

    public Kind kind() {
        return kind;
    }

    /** Whether somebody asked for it; what is kept for a sandbox or a fork is nobody's to name. */
    public boolean isAskedFor() {
        return kind == Kind.SNAPSHOT;
    }

    public SnapshotState state() {
        return state;
    }

    public Phase phase() {
        return phase;
    }

    /** The name it holds; empty for an unnamed one and for one whose name is free again. */
    public Optional<SnapshotName> name() {
        return nameHeld ? Optional.of(new SnapshotName(shortName, tag)) : Optional.empty();
    }

    /** The name it has or had. */
    public Optional<SnapshotName> everNamed() {
        return Optional.ofNullable(shortName).map(name -> new SnapshotName(name, tag));
    }

    public SandboxId source() {
        return new SandboxId(sourceSandboxId);
    }

    /** The snapshot its source was restored from. */
    public Optional<SnapshotId> parent() {
        return Optional.ofNullable(parentId).map(SnapshotId::new);
    }

    public TemplateId template() {
        return new TemplateId(templateId);
    }

    public String templateDigest() {
        return templateDigest;
    }

    public String worker() {
        return workerId;
    }

    public Size size() {
        return new Size(cpus, memoryMib, diskMib);
    }

    public boolean isSecured() {
        return secured;
    }

    /** The policy of its source, which a restore inherits unless it says otherwise. */
    public NetworkPolicy network() {
        return network;
    }

    /** Whether what is made from it goes on where its source was; otherwise it boots anew. */
    public boolean hasMemory() {
        return memory;
    }

    public Lifecycle lifecycle() {
        return lifecycle;
    }

    /** The labels of its source, which a restore inherits unless it says otherwise. */
    public Map<String, String> metadata() {
        return Map.copyOf(metadata);
    }

    public Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    /** Known once it is saved. */
    public Optional<Fingerprint> fingerprint() {
        return Optional.ofNullable(runtimeId)
                .map(
                        build ->
                                new Fingerprint(
                                        build,
                                        platform,
                                        architecture,
                                        words(cpuFeatures),
                                        agentProtocol,
                                        stateFormat));
    }

    public PartsState partsState() {
        return partsState;
    }

    public long storedBytes() {
        return storedBytes == null ? 0 : storedBytes;
    }

    public Optional<Duration> freeze() {
        return Optional.ofNullable(freezeMillis).map(Duration::ofMillis);
    }

    public Instant createdAt() {
        return createdAt;
    }

    public String createdBy() {
        return createdBy;
    }

    public Optional<Instant> savedAt() {
        return Optional.ofNullable(savedAt);
    }

    /** How long its capture asked for it to be kept. */
    public Optional<Duration> retention() {
        return Optional.ofNullable(retentionSeconds).map(Duration::ofSeconds);
    }

    /** How a restore failed that should have worked; empty again when one has worked. */
    public Optional<Verdict.Doubt> restoreFailure() {
        return Optional.ofNullable(restoreFailure)
                .map(words -> new Verdict.Doubt(words, restoreFailedAt));
    }

    public long logicalBytes() {
        return logicalBytes == null ? 0 : logicalBytes;
    }

    /** What somebody wrote on it. */
    public Optional<String> note() {
        return Optional.ofNullable(note);
    }

    public Labels labels() {
        return new Labels(labels);
    }

    public Optional<Instant> lastRestoredAt() {
        return Optional.ofNullable(lastRestoredAt);
    }

    void label(Labels given) {
        if (!given.values().equals(labels)) {
            labels = given.values();
            changeNumber++;
        }
    }

    void annotate(Annotation annotation) {
        if (annotation.note().isPresent()) {
            note = annotation.note().get().map(Note::text).orElse(null);
            changeNumber++;
        }
        label(labels().with(annotation.labels()));
    }

    /**
     * @param seen the version that somebody saw, if it matters
     * @throws Problem {@code precondition_failed}
     */
    void requireVersion(OptionalLong seen) {
        Precondition.require(seen, version, "Snapshot " + id);
    }

    /** Grows with each change. */
    public long version() {
        return version;
    }

    public Optional<Instant> expiresAt() {
        return Optional.ofNullable(expiresAt);
    }

    /** The words of it. */
    public Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** Why its capture came to nothing. */
    public Optional<Failure> whyFailed() {
        return Optional.ofNullable(failureReason)
                .map(
                        reason ->
                                new Failure(
                                        reason,
                                        failure,
                                        failureFigures.entrySet().stream()
                                                .collect(
                                                        Collectors.toMap(
                                                                Map.Entry::getKey,
                                                                each ->
                                                                        Long.valueOf(
                                                                                each
                                                                                        .getValue())))));
    }

    /** Its capture as an act. */
    public Operation operation() {
        return new Operation(
                upload(),
                kind,
                source(),
                id(),
                state == SnapshotState.UPLOADING
                        ? OperationState.RUNNING
                        : whyFailed().map(OperationState::of).orElse(OperationState.DONE),
                phase,
                everNamed(),
                bytesDone,
                Optional.ofNullable(bytesExpected),
                freeze(),
                createdAt,
                Optional.of(deadlineAt),
                Optional.ofNullable(savedAt).or(() -> Optional.ofNullable(removedAt)),
                whyFailed());
    }

    Optional<Idempotency> idempotency() {
        return Optional.ofNullable(idempotency);
    }

    /** What is asked for under the same key again is this one, as long as it is there. */
    void remember(Idempotency order) {
        idempotency = order;
    }

    boolean isPastDeadline(Instant now) {
        return state == SnapshotState.UPLOADING && !deadlineAt.isAfter(now);
    }

    public Optional<RemovalReason> removalReason() {
        return Optional.ofNullable(removalReason);
    }

    public Optional<Instant> removedAt() {
        return Optional.ofNullable(removedAt);
    }

    /** How often the removal of its objects has failed since somebody asked for it. */
    public int cleanupAttempts() {
        return cleanupAttempts;
    }

    /** When that is tried next. */
    public Optional<Instant> cleanupAfter() {
        return Optional.ofNullable(cleanupAfter);
    }

    /** How it failed the last time. */
    public Optional<String> cleanupError() {
        return Optional.ofNullable(cleanupError);
    }

    public boolean isExpired(Instant now) {
        return state == SnapshotState.SAVED && expiresAt != null && !expiresAt.isAfter(now);
    }

    /**
     * @throws Problem that it is not saved yet, has expired, or was removed
     */
    public void requireUsable(Instant now) {
        if (isExpired(now)) {
            throw gone().problem();
        }
        switch (state) {
            case UPLOADING ->
                    throw new Problem(
                                    Reason.SNAPSHOT_NOT_SAVED,
                                    "Snapshot "
                                            + id
                                            + " is still being captured. Use it once it is saved.")
                            .about(projectId, uploadId);
            case CLEANUP_PENDING, TRASHED -> throw gone().problem();
            default -> {}
        }
    }

    /** Why it cannot be used and since when: what has expired, since then and not since the job. */
    public Gone gone() {
        return new Gone(id(), whyGone(), expiredAt().or(this::removedAt).orElse(createdAt));
    }

    private RemovalReason whyGone() {
        return removalReason()
                .orElse(
                        state == SnapshotState.SAVED
                                ? RemovalReason.EXPIRED
                                : RemovalReason.DELETED);
    }

    /** Everything else was usable until it was removed. */
    private Optional<Instant> expiredAt() {
        return expiresAt().filter(any -> whyGone() == RemovalReason.EXPIRED);
    }

    /** The worker takes the capture; false when it was taken, failed or reaped before. */
    boolean claim() {
        if (state != SnapshotState.UPLOADING || phase != Phase.ACCEPTED) {
            return false;
        }
        phase = Phase.FREEZING;
        return true;
    }

    /** The state is written; false when nobody wants it any more. */
    boolean written(Duration freeze, long bytes) {
        if (state != SnapshotState.UPLOADING) {
            return false;
        }
        phase = Phase.SEALING;
        freezeMillis = freeze.toMillis();
        bytesExpected = bytes;
        return true;
    }

    /**
     * Everything is stored. False when the capture was reaped meanwhile: its objects are garbage.
     */
    boolean seal(Sealed sealed) {
        if (state != SnapshotState.UPLOADING) {
            return false;
        }
        state = SnapshotState.SAVED;
        phase = Phase.DONE;
        runtimeId = sealed.fingerprint().runtimeBuild();
        platform = sealed.fingerprint().platform();
        architecture = sealed.fingerprint().architecture();
        cpuFeatures = String.join(" ", sealed.fingerprint().cpuFeatures());
        agentProtocol = sealed.fingerprint().agentProtocol();
        stateFormat = sealed.fingerprint().stateFormat();
        partsState = PartsState.COMPLETE;
        logicalBytes = sealed.logicalBytes();
        bytesDone = sealed.logicalBytes();
        bytesExpected = sealed.logicalBytes();
        storedBytes = sealed.storedBytes();
        freezeMillis = sealed.freeze().toMillis();
        savedAt = sealed.savedAt();
        expiresAt = sealed.expiresAt().orElse(null);
        return true;
    }

    /** The capture came to nothing. False when it was over before. */
    boolean fail(Failure why, Instant now) {
        if (state != SnapshotState.UPLOADING) {
            return false;
        }
        failure = why.words();
        failureReason = why.reason();
        failureFigures =
                why.figures().entrySet().stream()
                        .collect(
                                Collectors.toMap(
                                        Map.Entry::getKey, each -> each.getValue().toString()));
        remove(RemovalReason.FAILED, now);
        cleanupAfter = now.plus(FAILURE_SHOWN);
        return true;
    }

    /**
     * Accepting a removal is its commit point: the name is free, the objects go later. {@link
     * Removals} has what belongs to it, and does the same to many at once.
     */
    void remove(RemovalReason reason, Instant now) {
        state = SnapshotState.CLEANUP_PENDING;
        phase = Phase.DONE;
        nameHeld = false;
        idempotency = null;
        removalReason = reason;
        removedAt = now;
        cleanupAfter = cleanupAfter(kind, now);
    }

    /** From when on the objects of what is removed may go. */
    static Instant cleanupAfter(Kind kind, Instant removed) {
        return kind == Kind.PAUSE ? removed.plus(PAUSE_SHOWN) : removed;
    }

    /** Its name is free although it stays. */
    void giveUpName() {
        if (nameHeld) {
            nameHeld = false;
            changeNumber++;
        }
    }

    boolean hasGivenUpName() {
        return shortName != null && !nameHeld;
    }

    /** Cleaning up failed; it is tried again after 1, 2, 4 and at most 64 minutes. */
    void cleanUpLater(String error, Instant now) {
        cleanupAfter = now.plus(Duration.ofMinutes(1L << Math.min(cleanupAttempts, 6)));
        cleanupAttempts++;
        cleanupError = error;
    }

    /** Asked for again: what is put off is due now, and what is due stays so. */
    void cleanUpNow(Instant now) {
        if (state == SnapshotState.CLEANUP_PENDING && cleanupAttempts > 0) {
            cleanupAttempts = 0;
            cleanupAfter = now;
        }
    }

    void lostParts(PartsState what) {
        partsState = what;
    }

    /** Somebody has read the parts. */
    void checked(PartsState what, Instant now) {
        partsState = what;
        partsCheckedAt = now;
        if (what == PartsState.COMPLETE) {
            trust();
        }
    }

    /** One that is still being made is newer than any that was saved. */
    boolean isOlderThan(Recovered other) {
        return savedAt != null && savedAt.isBefore(other.sealed().savedAt());
    }

    /** A restore that should have worked did not. */
    void doubt(String why, Instant now) {
        restoreFailure = why;
        restoreFailedAt = now;
    }

    /** It was restored, or all its parts were found whole. */
    void trust() {
        partsState = PartsState.COMPLETE;
        restoreFailure = null;
        restoreFailedAt = null;
    }

    /** What its capture asks for, taken when it is saved. */
    void retain(Duration asked) {
        retentionSeconds = asked.toSeconds();
    }

    /** It ends at another moment; whoever was warned of the former one is warned anew. */
    void expireAt(Instant moment) {
        expiresAt = moment;
        expiryWarnedSeconds = null;
        changeNumber++;
    }

    /** What was changed since it was saved. */
    Amended amended() {
        return new Amended(changeNumber, Fact.of(this), true);
    }

    /** It is as somebody has written it down, and the store has that already. */
    void take(Amended amended) {
        // No manifest has these: where they are not amended they are not, or not any more.
        note = null;
        labels = Map.of();
        Fact.onto(this, amended.facts());
        changeNumber = amended.number();
        storedChange = amended.number();
    }

    /** Whether somebody has written down a later change than any that this row has seen. */
    boolean isBehind(Amended other) {
        return changeNumber < other.number();
    }

    /** Its last change, if it still is the one of that number, has no lower one than another. */
    void renumber(long seen, long least) {
        if (changeNumber == seen) {
            changeNumber = Math.max(changeNumber, least);
        }
    }

    /** Whether anything was changed of it that is not in its manifest. */
    boolean isAmended() {
        return changeNumber > 0;
    }

    /** Whether it is saved and nobody has removed it: its objects stay. */
    public boolean isKept() {
        return state == SnapshotState.SAVED || state == SnapshotState.TRASHED;
    }

    /** Whether nobody was warned so shortly before its end. */
    boolean warn(Duration ahead) {
        if (expiryWarnedSeconds != null && expiryWarnedSeconds <= ahead.toSeconds()) {
            return false;
        }
        expiryWarnedSeconds = ahead.toSeconds();
        return true;
    }

    Tombstone tombstone() {
        return new Tombstone(
                operation(), projectId, removalReason, removedAt, expiredAt().orElse(null));
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : Arrays.asList(text.split(" "));
    }
}
