package dev.holdfast.sandbox;

import dev.holdfast.event.EventType;
import java.util.Optional;

/**
 * That a sandbox went from one state to another.
 *
 * @param from empty for one that has just been made
 */
record Turn(Optional<SandboxState> from, SandboxState to) {

    EventType type() {
        return switch (to) {
            case STARTING -> EventType.SANDBOX_CREATED;
            case RUNNING -> running();
            case SNAPSHOTTING -> EventType.SANDBOX_CAPTURE_STARTED;
            case PAUSING -> EventType.SANDBOX_PAUSING;
            case PAUSED ->
                    from.filter(state -> state == SandboxState.RESUMING).isPresent()
                            ? EventType.SANDBOX_RESUME_FAILED
                            : EventType.SANDBOX_PAUSED;
            case RESUMING -> EventType.SANDBOX_RESUMING;
            case ENDED -> EventType.SANDBOX_ENDED;
        };
    }

    private EventType running() {
        return switch (from.orElse(SandboxState.STARTING)) {
            case SNAPSHOTTING -> EventType.SANDBOX_CAPTURE_ENDED;
            case PAUSING -> EventType.SANDBOX_PAUSE_FAILED;
            case RESUMING, PAUSED -> EventType.SANDBOX_RESUMED;
            default -> EventType.SANDBOX_STARTED;
        };
    }
}
