package dev.holdfast.template;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A template, as the catalogue knows it. */
@Entity
public class Template {

    @Id private String id;
    private UUID projectId;
    private String name;
    private String digest;
    private int generation;
    private int cpus;
    private int memoryMib;
    private int diskMib;
    private Instant createdAt;
    private Instant deletedAt;
    @Version private long version;

    protected Template() {}

    Template(TemplateId id, String name, String digest, Size size, Instant now) {
        this.id = id.value();
        this.name = name;
        this.digest = digest;
        this.generation = 2;
        this.cpus = size.cpus();
        this.memoryMib = size.memoryMebibytes();
        this.diskMib = size.diskMebibytes();
        this.createdAt = now;
    }

    /** One of which nothing is left but what was made of it. */
    static Template lost(TemplateId id, String digest, Size size, Instant now) {
        Template template = new Template(id, id.value(), digest, size, now);
        template.deletedAt = now;
        return template;
    }

    public TemplateId id() {
        return new TemplateId(id);
    }

    public String name() {
        return name;
    }

    /** The SHA-256 of the image new sandboxes start from; empty while none was published. */
    public Optional<String> digest() {
        return Optional.ofNullable(digest);
    }

    public Size size() {
        return new Size(cpus, memoryMib, diskMib);
    }

    void publish(String newDigest, Size size) {
        digest = newDigest;
        cpus = size.cpus();
        memoryMib = size.memoryMebibytes();
        diskMib = size.diskMebibytes();
    }
}
