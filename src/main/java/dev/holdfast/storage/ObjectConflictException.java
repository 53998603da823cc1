package dev.holdfast.storage;

import java.io.IOException;

/** The key is taken by other content. Objects never change, so a retry does not help. */
public final class ObjectConflictException extends IOException {

    private static final long serialVersionUID = 1L;

    ObjectConflictException(ObjectKey key) {
        super("object " + key + " exists with other content");
    }
}
