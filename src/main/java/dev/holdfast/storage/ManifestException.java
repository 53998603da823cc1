package dev.holdfast.storage;

import java.io.IOException;

/** A manifest that this build cannot take at its word: unreadable, or of a version unknown here. */
public final class ManifestException extends IOException {

    private static final long serialVersionUID = 1L;

    ManifestException(String message) {
        super(message);
    }

    ManifestException(String message, Throwable cause) {
        super(message, cause);
    }
}
