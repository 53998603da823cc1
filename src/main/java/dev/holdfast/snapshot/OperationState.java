package dev.holdfast.snapshot;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What has become of a capture. */
public enum OperationState {
    RUNNING,
    /** It is saved; what became of the snapshot afterwards does not change that. */
    DONE,
    FAILED,
    CANCELLED,
    /** It was not finished by its deadline. */
    EXPIRED;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<OperationState> of(String word) {
        return Arrays.stream(values()).filter(state -> state.word().equals(word)).findFirst();
    }

    static OperationState of(Failure failure) {
        return switch (failure.reason()) {
            case CAPTURE_CANCELLED -> CANCELLED;
            case CAPTURE_EXPIRED -> EXPIRED;
            default -> FAILED;
        };
    }
}
