package dev.holdfast.telemetry;

/** What a trail may say; the word is the same in log lines and in messages. */
public enum Mark {
    /** The ID of the request that all of it began with. */
    REQUEST("requestId", true),
    /** Where it belongs in a distributed trace, as W3C writes it. */
    TRACE("traceparent", true),
    PROJECT("project", true),
    SANDBOX("sandbox", false),
    SNAPSHOT("snapshot", false),
    UPLOAD("upload", false);

    private final String word;
    private final boolean carried;

    Mark(String word, boolean carried) {
        this.word = word;
        this.carried = carried;
    }

    public String word() {
        return word;
    }

    /** Whether it goes along in messages; the others are what a message is about anyway. */
    boolean isCarried() {
        return carried;
    }
}
