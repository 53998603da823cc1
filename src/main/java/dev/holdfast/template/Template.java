package dev.holdfast.template;

import dev.holdfast.access.ProjectId;
import dev.holdfast.database.StringMapConverter;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.annotations.ColumnTransformer;

/** A template, as the catalogue knows it. It owns its transitions. */
@Entity
public class Template {

    /** Snapshots are of no other, so neither is a template of which only they tell. */
    private static final int SAVED_GENERATION = 2;

    @Id private String id;
    private UUID projectId;
    private String name;
    private String digest;
    private int generation;
    private int cpus;
    private int memoryMib;
    private int diskMib;

    @Enumerated(EnumType.STRING)
    private TemplateState state;

    private String failure;

    @Convert(converter = StringMapConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private Map<String, String> environment;

    private Long imageBytes;
    private String workerId;
    private Instant deadlineAt;
    private Instant createdAt;
    private String createdBy;
    private Instant readyAt;
    private Instant deletedAt;
    @Version private long version;

    protected Template() {}

    /** A built-in one. */
    Template(TemplateId id, String name, int generation, String digest, Size size, Instant now) {
        this.id = id.value();
        this.name = name;
        this.digest = digest;
        this.generation = generation;
        this.cpus = size.cpus();
        this.memoryMib = size.memoryMebibytes();
        this.diskMib = size.diskMebibytes();
        this.state = TemplateState.READY;
        this.environment = Map.of();
        this.createdAt = now;
        this.createdBy = "system";
        this.readyAt = now;
    }

    /** One whose image is to be built. */
    Template(TemplateOrder order, Instant now) {
        this(order.id(), order.name().value(), order.generation(), null, order.size(), now);
        this.projectId = order.project().value();
        this.state = TemplateState.BUILDING;
        this.workerId = order.worker();
        this.deadlineAt = now.plus(order.deadline());
        this.createdBy = order.actor();
        this.readyAt = null;
    }

    /** One of which nothing is left but what was made of it. */
    static Template lost(TemplateId id, String digest, Size size, Instant now) {
        Template template = new Template(id, id.value(), SAVED_GENERATION, digest, size, now);
        template.deletedAt = now;
        return template;
    }

    public TemplateId id() {
        return new TemplateId(id);
    }

    /** Empty for a built-in one, which everybody may use. */
    public Optional<ProjectId> project() {
        return Optional.ofNullable(projectId).map(ProjectId::new);
    }

    /** Who asked for it, as the text of a principal. */
    String createdBy() {
        return createdBy;
    }

    public boolean isBuiltIn() {
        return projectId == null;
    }

    public String name() {
        return name;
    }

    /** Of the runtime that its sandboxes run on. */
    public int generation() {
        return generation;
    }

    public TemplateState state() {
        return state;
    }

    /** Why there is no image; for those who asked for it. */
    public Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** The SHA-256 of the image new sandboxes start from; empty while none was published. */
    public Optional<String> digest() {
        return Optional.ofNullable(digest);
    }

    public Size size() {
        return new Size(cpus, memoryMib, diskMib);
    }

    /** What every process of its sandboxes gets, below what the sandbox's own request says. */
    public Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    /** The size of the image; unknown for a built-in one. */
    public Optional<Long> imageBytes() {
        return Optional.ofNullable(imageBytes);
    }

    public Instant createdAt() {
        return createdAt;
    }

    public Optional<Instant> readyAt() {
        return Optional.ofNullable(readyAt);
    }

    public boolean isDeleted() {
        return deletedAt != null;
    }

    void publish(String newDigest, Size size) {
        digest = newDigest;
        cpus = size.cpus();
        memoryMib = size.memoryMebibytes();
        diskMib = size.diskMebibytes();
    }

    /** What the image will be called; from here on nobody removes it. False when it is over. */
    boolean claim(String imageDigest) {
        if (state != TemplateState.BUILDING || isDeleted()) {
            return false;
        }
        digest = imageDigest;
        return true;
    }

    /** Its image is stored. False when it was deleted or given up meanwhile. */
    boolean ready(long bytes, Map<String, String> variables, Instant now) {
        if (state != TemplateState.BUILDING || isDeleted()) {
            return false;
        }
        state = TemplateState.READY;
        imageBytes = bytes;
        environment = Map.copyOf(variables);
        readyAt = now;
        return true;
    }

    /** False when it was over before. */
    boolean fail(String why) {
        if (state != TemplateState.BUILDING) {
            return false;
        }
        state = TemplateState.FAILED;
        failure = why;
        return true;
    }

    void delete(Instant now) {
        if (isBuiltIn()) {
            throw new Problem(
                    Reason.TEMPLATE_BUILT_IN,
                    "Template " + name + " is built in and belongs to no project; it stays.");
        }
        deletedAt = now;
    }

    /**
     * @throws Problem {@code template_not_ready}, saying what became of its image
     */
    void requireReady() {
        switch (state) {
            case BUILDING ->
                    throw notReady(
                            "Template "
                                    + name
                                    + " is still being built. Use it once its state is READY.");
            case FAILED ->
                    throw notReady(
                            "Template "
                                    + name
                                    + " could not be built: "
                                    + failure
                                    + ". Make it anew.");
            default -> {
                // Its image is there, or is a built-in one that a worker has still to publish.
            }
        }
    }

    private Problem notReady(String message) {
        return new Problem(Reason.TEMPLATE_NOT_READY, message)
                .with("templateId", id)
                .with("state", state.name());
    }
}
