package dev.holdfast.storage;

import java.io.IOException;

/** The store does not hold what the manifest says. A retry does not help; a scrub must tell. */
public abstract sealed class PartException extends IOException
        permits PartMissingException, PartCorruptException {

    private static final long serialVersionUID = 1L;

    private final transient ObjectKey key;

    PartException(ObjectKey key, String message, Throwable cause) {
        super(message, cause);
        this.key = key;
    }

    public ObjectKey key() {
        return key;
    }

    /** A stable word for rows, verdicts and answers. */
    public abstract String reason();
}
