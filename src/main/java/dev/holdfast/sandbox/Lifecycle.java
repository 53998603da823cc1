package dev.holdfast.sandbox;

import dev.holdfast.problem.Problem;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What happens to a sandbox by itself.
 *
 * @param onTimeout at the end of its lifetime
 * @param autoResume whether traffic wakes it when it is paused
 * @param idleSeconds how long it may be without traffic and running commands before what happens at
 *     its timeout happens; null: as long as it lives
 */
@Embeddable
public record Lifecycle(
        @Enumerated(EnumType.STRING) AtTimeout onTimeout, boolean autoResume, Long idleSeconds) {

    public static final Lifecycle ENDS = new Lifecycle(AtTimeout.KILL, false);

    /** One that may be idle as long as it lives. */
    public Lifecycle(AtTimeout onTimeout, boolean autoResume) {
        this(onTimeout, autoResume, null);
    }

    public Lifecycle {
        Objects.requireNonNull(onTimeout);
        if (idleSeconds != null && idleSeconds < 1) {
            throw Problem.invalid(
                    "idleTimeout", "\"idleTimeout\" is a positive number of whole seconds.");
        }
        if (autoResume && onTimeout == AtTimeout.PAUSE_DISK) {
            throw Problem.invalid(
                    "autoResume",
                    "\"autoResume\" needs the memory: traffic cannot wait for a boot. Leave"
                            + " \"autoPauseMemory\" out, or connect to resume.");
        }
    }

    public Optional<Duration> idleTimeout() {
        return Optional.ofNullable(idleSeconds).map(Duration::ofSeconds);
    }

    /** The same, but for the idle timeout. */
    public Lifecycle idleFor(Optional<Duration> idle) {
        return new Lifecycle(onTimeout, autoResume, idle.map(Duration::toSeconds).orElse(null));
    }
}
