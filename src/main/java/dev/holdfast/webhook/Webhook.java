package dev.holdfast.webhook;

import dev.holdfast.access.ProjectId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** An endpoint that is told what happens in its project. */
@Entity
public class Webhook {

    /** Whether anything is sent to it. */
    public enum State {
        ACTIVE,
        DISABLED
    }

    @Id private UUID id;
    private UUID projectId;
    private String url;
    private String types;
    private int secretVersion;
    private Instant formerUntil;

    @Enumerated(EnumType.STRING)
    private State state;

    private String disabledWhy;
    private long position;
    private Instant failingSince;
    private Instant createdAt;
    private String createdBy;
    @Version private long version;

    protected Webhook() {}

    Webhook(ProjectId project, WebhookTerms terms, long position, String createdBy, Instant now) {
        this.id = UUID.randomUUID();
        this.projectId = project.value();
        this.url = terms.destination().toString();
        this.types = terms.text();
        this.secretVersion = 1;
        this.state = State.ACTIVE;
        this.position = position;
        this.createdAt = now;
        this.createdBy = createdBy;
    }

    public WebhookId id() {
        return new WebhookId(id);
    }

    public ProjectId project() {
        return new ProjectId(projectId);
    }

    public WebhookTerms terms() {
        return WebhookTerms.of(url, types);
    }

    public State state() {
        return state;
    }

    /** Empty while it is active. */
    public Optional<String> disabledWhy() {
        return Optional.ofNullable(disabledWhy);
    }

    /** Since when no delivery has been taken; empty when the last one was. */
    public Optional<Instant> failingSince() {
        return Optional.ofNullable(failingSince);
    }

    public Instant createdAt() {
        return createdAt;
    }

    /** Who made it, as the text of a principal. */
    public String createdBy() {
        return createdBy;
    }

    long position() {
        return position;
    }

    /** What its owner checks deliveries with. */
    SigningSecret secret(byte[] root) {
        return SigningSecret.derived(root, id(), secretVersion);
    }

    /** What a delivery is signed with at a moment, the newest first. */
    List<SigningSecret> secrets(byte[] root, Instant now) {
        List<SigningSecret> secrets = new ArrayList<>();
        secrets.add(secret(root));
        if (formerUntil != null && now.isBefore(formerUntil)) {
            secrets.add(SigningSecret.derived(root, id(), secretVersion - 1));
        }
        return secrets;
    }

    void change(WebhookTerms terms) {
        url = terms.destination().toString();
        types = terms.text();
    }

    void rotate(Instant formerUntil) {
        secretVersion++;
        this.formerUntil = formerUntil;
    }

    /** Goes on behind the last event that has its delivery. */
    void enable() {
        state = State.ACTIVE;
        disabledWhy = null;
        failingSince = null;
    }

    /** False when it was before. */
    boolean disable(String why) {
        if (state == State.DISABLED) {
            return false;
        }
        state = State.DISABLED;
        disabledWhy = why;
        return true;
    }

    /** All up to there have their deliveries. */
    void told(long last) {
        position = last;
    }

    void taken() {
        failingSince = null;
    }

    /** Nothing is on its way to it, so it cannot show that it lives. */
    void rests() {
        failingSince = null;
    }

    /**
     * A delivery was not taken.
     *
     * @return whether it is dead now
     */
    boolean failed(Instant now, Duration deadAfter) {
        if (failingSince == null) {
            failingSince = now;
        }
        return !failingSince.plus(deadAfter).isAfter(now);
    }
}
