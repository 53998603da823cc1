package dev.holdfast.sandbox;

import java.util.Locale;

/** The life of a sandbox; what leads where is in {@link Sandbox}. */
public enum SandboxState {
    STARTING,
    RUNNING,
    SNAPSHOTTING,
    PAUSING,
    PAUSED,
    RESUMING,
    ENDED;

    /** The word of the native API and of the extra member {@code lifecycleState}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
