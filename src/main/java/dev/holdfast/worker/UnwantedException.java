package dev.holdfast.worker;

import java.io.IOException;

/** Nobody wants the state any more, and nothing stood still for it. */
public final class UnwantedException extends IOException {
    private static final long serialVersionUID = 1L;

    UnwantedException() {
        super("nobody wants the state any more");
    }
}
