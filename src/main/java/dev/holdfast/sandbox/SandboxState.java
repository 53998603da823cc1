package dev.holdfast.sandbox;

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
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
