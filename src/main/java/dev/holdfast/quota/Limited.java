package dev.holdfast.quota;

/** What a project has a limit of. The words are API. */
public enum Limited {
    BYTES("bytes"),
    SNAPSHOTS("snapshots"),
    LIVE_SANDBOXES("liveSandboxes");

    private final String word;

    Limited(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
