package dev.holdfast.retention;

/** What keeps a snapshot that its policy would let go. */
public enum Shield {
    HELD("somebody holds it"),
    PINNED("it is pinned"),
    OCCUPIED("sandboxes live from it");

    private final String words;

    Shield(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
