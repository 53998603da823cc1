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
import dev.holdfast.volume.Mount;
import dev.holdfast.volume.MountsConverter;
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
import java.util.stream.Stream;
import org.hibernate.annotations.ColumnTransformer;

/** A saved state, from the acceptance of its capture until its objects are gone. */
@Entity
public class Snapshot {

    /** A failed capture stays for its caller to read before its row goes. */
    private static final Duration FAILURE_SHOWN = Duration.ofMinutes(5);

    /** Whoever waits for the pause reads its outcome from the row, also when it is over again. */
    private static final Duration PAUSE_SHOWN = Duration.ofSeconds(30);

    /** The end of what is pinned until somebody lifts the pin. */
    private static final Instant NEVER = Instant.parse("9998-12-31T00:00:00Z");

    /** What would have expired while it was pinned is not gone as soon as the pin is. */
    private static final Duration LIFTED = Duration.ofDays(1);

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

    @Convert(converter = MountsConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private List<Mount> mounts = List.of();

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

    /** Its expiry but for a pin and a hold; there with one of these only. */
    private Instant ownExpiresAt;

    @Embedded private Pin pin;
    @Embedded private Hold hold;
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
        this.parentId = source.parent().orElse(null);
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
        this.mounts = source.mounts();
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
        this.mounts = found.settings().mounts();
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

    /**
     * Whether somebody asked for it, at once or by a policy; what is kept for a sandbox or a fork
     * is nobody's to name.
     */
    public boolean isAskedFor() {
        return kind.isListed();
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

    /** The snapshot that the state of its source descended from. */
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

    /** The volumes that its source had mounted: their contents are no part of it. */
    public List<Mount> mounts() {
        return List.copyOf(mounts);
    }

    /** Known once it is saved. */
    public Optional<Fingerprint> fingerprint() {
        return Optional.ofNullable(cpuFeatures).flatMap(text -> fingerprint(words(text)));
    }

    /** The same for lists, without the features of the processor, which are over a hundred. */
    public Optional<Fingerprint> fingerprintInShort() {
        return fingerprint(List.of());
    }

    private Optional<Fingerprint> fingerprint(List<String> cpuFeatures) {
        return Optional.ofNullable(runtimeId)
                .map(
                        build ->
                                new Fingerprint(
                                        build,
                                        platform,
                                        architecture,
                                        cpuFeatures,
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

    /** The moment that every question goes by: with a pin or a hold it is the end of these. */
    public Optional<Instant> expiresAt() {
        return Optional.ofNullable(expiresAt);
    }

    /** The same for people; empty where no end is known. */
    public Optional<Instant> endsAt() {
        return expiresAt().filter(moment -> !moment.equals(NEVER));
    }

    /** When it would end without pin and hold. */
    public Optional<Instant> ownExpiry() {
        return Optional.ofNullable(ownExpiresAt).or(this::expiresAt);
    }

    /** Also one that is over. */
    public Optional<Pin> pin() {
        return Optional.ofNullable(pin);
    }

    /** Also one that is over. */
    public Optional<Hold> hold() {
        return Optional.ofNullable(hold);
    }

    public Optional<Pin> pin(Instant now) {
        return Optional.ofNullable(pin).filter(each -> each.isOn(now));
    }

    public Optional<Hold> hold(Instant now) {
        return Optional.ofNullable(hold).filter(each -> each.isOn(now));
    }

    /** Whether only its owner's leave or time lets it go. */
    boolean isGuarded(Instant now) {
        return pin(now).isPresent() || hold(now).isPresent();
    }

    /**
     * @throws Problem {@code snapshot_held}, {@code snapshot_pinned}
     */
    void requireUnguarded(Instant now) {
        hold(now)
                .ifPresent(
                        each -> {
                            throw held(each, "It cannot be deleted before.");
                        });
        pin(now).ifPresent(
                        each -> {
                            throw pinned(each);
                        });
    }

    private Problem pinned(Pin now) {
        Problem problem =
                new Problem(
                                Reason.SNAPSHOT_PINNED,
                                "Snapshot "
                                        + id
                                        + " is pinned: "
                                        + now.reason()
                                        + ". Lift the pin first.")
                        .with("pinnedBy", now.by());
        return now.end().map(end -> problem.with("pinnedUntil", end.toString())).orElse(problem);
    }

    private Problem held(Hold now, String rule) {
        return new Problem(
                        Reason.SNAPSHOT_HELD,
                        "Snapshot "
                                + id
                                + " is held until "
                                + now.until()
                                + ": "
                                + now.reason()
                                + ". "
                                + rule)
                .with("heldBy", now.by())
                .with("heldUntil", now.until().toString());
    }

    void pin(Pin given) {
        pin = given;
        guard();
        changeNumber++;
    }

    /** The pin that it had. */
    Optional<Pin> unpin(Instant now) {
        Optional<Pin> lifted = Optional.ofNullable(pin);
        if (lifted.isPresent()) {
            pin = null;
            guard();
            if (isExpired(now)) {
                ownExpiresAt = ownExpiresAt == null ? null : now.plus(LIFTED);
                expiresAt = now.plus(LIFTED);
            }
            changeNumber++;
        }
        return lifted;
    }

    /**
     * @throws Problem {@code snapshot_held} for a sooner end than it has
     */
    void hold(Hold given, Instant now) {
        hold(now)
                .filter(before -> given.until().isBefore(before.until()))
                .ifPresent(
                        before -> {
                            throw held(before, "A hold can only be extended.");
                        });
        hold(given);
    }

    /** As it was written down. */
    void hold(Hold given) {
        hold = given;
        guard();
        changeNumber++;
    }

    /** It ends when the last of its expiry, its pin and its hold does. */
    private void guard() {
        Instant own = ownExpiry().orElse(null);
        if (own == null) {
            return;
        }
        boolean guarded = pin != null || hold != null;
        Instant pinned = pin == null ? own : pin.end().orElse(NEVER);
        Instant held = hold == null ? own : hold.until();
        expiresAt = Stream.of(own, pinned, held).max(Instant::compareTo).orElse(own);
        ownExpiresAt = guarded ? own : null;
        expiryWarnedSeconds = null;
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
            case CLEANUP_PENDING -> throw gone().problem();
            case TRASHED -> throw gone().problem().with("trashedUntil", cleanupAfter.toString());
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

    /** Everything else was usable until it was removed; what a policy let go ended before. */
    private Optional<Instant> expiredAt() {
        return expiresAt()
                .filter(any -> whyGone() == RemovalReason.EXPIRED)
                .map(end -> removedAt().filter(end::isAfter).orElse(end));
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
        ownExpiresAt = moment;
        guard();
        expiryWarnedSeconds = null;
        changeNumber++;
    }

    /**
     * The same, and it can be brought back until then.
     *
     * @param back null: not at all
     */
    void leave(RemovalReason reason, Instant now, Instant back) {
        remove(reason, now);
        if (back != null) {
            state = SnapshotState.TRASHED;
            cleanupAfter = back;
            changeNumber++;
        }
    }

    /** Until when it can be brought back, of one that is in the trash. */
    public Optional<Instant> trashedUntil() {
        return cleanupAfter().filter(x -> state == SnapshotState.TRASHED);
    }

    /** Whether it can be brought back; what has expired is as good as in the trash. */
    boolean isInTrash(Instant now, Duration trash) {
        return trashedUntil().filter(now::isBefore).isPresent()
                || isExpired(now) && !trash.isZero();
    }

    /** It is as it was before it left. */
    void bringBack(Instant now, boolean named) {
        backFromTrash();
        nameHeld = nameHeld || named;
        changeNumber++;
        if (isExpired(now)) {
            expireAt(now.plus(LIFTED));
        }
    }

    private void backFromTrash() {
        state = SnapshotState.SAVED;
        removalReason = null;
        removedAt = null;
        cleanupAfter = null;
    }

    /** Nobody brings it back any more; false when it is not in the trash, or somebody keeps it. */
    boolean discard(Instant now) {
        if (state != SnapshotState.TRASHED || isGuarded(now)) {
            return false;
        }
        state = SnapshotState.CLEANUP_PENDING;
        cleanupAfter = now;
        return true;
    }

    /**
     * @throws Problem what became of one that is no more
     */
    void requireNotGone(Instant now) {
        if (state != SnapshotState.SAVED || isExpired(now)) {
            requireUsable(now);
        }
    }

    /** What was changed since it was saved. */
    Amended amended() {
        return new Amended(changeNumber, Fact.of(this), true);
    }

    /**
     * It is as somebody has written it down, and the store has that already. A hold that is longer
     * here stays: nobody shortens one.
     */
    void take(Amended amended) {
        Hold before = hold;
        // No manifest has these: where they are not amended they are not, or not any more.
        note = null;
        labels = Map.of();
        pin = null;
        hold = null;
        guard();
        Fact.onto(this, amended.facts());
        changeNumber = amended.number();
        storedChange = amended.number();
        if (state == SnapshotState.TRASHED) {
            backFromTrash(); // the only change that comes after the one that put it there
        }
        if (before != null && (hold == null || hold.until().isBefore(before.until()))) {
            hold(before);
        }
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

    /** Whether anything was changed of it that the store does not have. */
    boolean isAheadOfTheStore() {
        return changeNumber > storedChange;
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
                operation(),
                projectId,
                parentId,
                removalReason,
                removedAt,
                expiredAt().orElse(null));
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : Arrays.asList(text.split(" "));
    }
}
