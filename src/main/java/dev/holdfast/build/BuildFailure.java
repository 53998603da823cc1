package dev.holdfast.build;

/** Why there is no image, in words for whoever sent the archive. */
final class BuildFailure extends Exception {
    private static final long serialVersionUID = 1L;

    BuildFailure(String message) {
        super(message);
    }
}
