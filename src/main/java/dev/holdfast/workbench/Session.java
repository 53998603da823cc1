package dev.holdfast.workbench;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.SandboxId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A sandbox that was opened in the Workbench, and which browser tab has it open. */
@Entity
@Table(name = "workbench_session")
public class Session {

    /** A tab that has not been heard of for so long has been closed without a word. */
    static final Duration SILENCE = Duration.ofSeconds(30);

    @Id private String sandboxId;
    private UUID projectId;
    private String profile;
    private Instant openedAt;
    private String openedBy;
    private UUID tab;
    private String tabBy;
    private Instant tabAt;
    @Version private long version;

    protected Session() {}

    Session(ProjectId project, SandboxId sandbox, Optional<String> profile, String by, Instant at) {
        this.projectId = project.value();
        this.sandboxId = sandbox.value();
        this.profile = profile.orElse(null);
        this.openedBy = by;
        this.openedAt = at;
    }

    public SandboxId sandbox() {
        return new SandboxId(sandboxId);
    }

    /** Empty for a sandbox that was made elsewhere. */
    public Optional<String> profile() {
        return Optional.ofNullable(profile);
    }

    public Instant openedAt() {
        return openedAt;
    }

    /** Who has it open in a tab, as far as is known. */
    public Optional<String> heldBy(Instant now) {
        return isHeld(now) ? Optional.of(tabBy) : Optional.empty();
    }

    /**
     * A tab says that it has the session open.
     *
     * @param takes whether it takes it over from another tab
     * @throws Problem {@code session_elsewhere} if another tab has it
     */
    void hold(UUID asking, String by, boolean takes, Instant now) {
        if (!takes && isHeld(now) && !tab.equals(asking)) {
            throw new Problem(
                            Reason.SESSION_ELSEWHERE,
                            "Another tab has this session open. Go on there, or take it over: the"
                                    + " other tab then stops.")
                    .with("heldBy", tabBy);
        }
        tab = asking;
        tabBy = by;
        tabAt = now;
    }

    /** A tab was closed; one that has lost the session meanwhile changes nothing. */
    void release(UUID leaving) {
        if (leaving.equals(tab)) {
            tab = null;
            tabBy = null;
            tabAt = null;
        }
    }

    private boolean isHeld(Instant now) {
        return tab != null && tabAt.plus(SILENCE).isAfter(now);
    }
}
