package dev.holdfast.sandbox;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import java.util.Objects;

/**
 * What happens to a sandbox by itself.
 *
 * @param onTimeout at the end of its lifetime
 * @param autoResume whether traffic wakes it when it is paused
 */
@Embeddable
public record Lifecycle(@Enumerated(EnumType.STRING) AtTimeout onTimeout, boolean autoResume) {

    public static final Lifecycle ENDS = new Lifecycle(AtTimeout.KILL, false);

    public Lifecycle {
        Objects.requireNonNull(onTimeout);
        if (autoResume && onTimeout == AtTimeout.PAUSE_DISK) {
            throw new Problem(
                            Reason.INVALID_PARAMETER,
                            "\"autoResume\" needs the memory: traffic cannot wait for a boot. Leave"
                                    + " \"autoPauseMemory\" out, or connect to resume.")
                    .with("parameter", "autoResume");
        }
    }
}
