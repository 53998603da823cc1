package dev.holdfast.capture;

import java.io.IOException;

/** The capture was ended while it was being done: cancelled, or its deadline is past. */
final class EndedException extends IOException {
    private static final long serialVersionUID = 1L;

    EndedException() {
        super("the capture was ended");
    }
}
