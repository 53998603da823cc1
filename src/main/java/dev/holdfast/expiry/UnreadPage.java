package dev.holdfast.expiry;

import jakarta.batch.operations.BatchRuntimeException;

/** What is due could not be read: nothing that the next item would make good. */
class UnreadPage extends BatchRuntimeException {

    private static final long serialVersionUID = 1L;

    UnreadPage(RuntimeException cause) {
        super("What is due could not be read: " + cause.getMessage(), cause);
    }
}
