package dev.holdfast.sandbox;

import dev.holdfast.event.EventType;
import java.util.Optional;

/**
 * That a sandbox went from one state to another.
 *
 * @param from empty for one that has just been made
 * @param replaced whether a saved state was taking the place of its own
 */
record Turn(Optional<SandboxState> from, SandboxState to, boolean replaced) {

    EventType type() {
        return switch (to) {
            case STARTING -> EventType.SANDBOX_CREATED;
            case RUNNING -> running();
            case SNAPSHOTTING -> EventType.SANDBOX_CAPTURE_STARTED;
            case PAUSING -> replaced ? EventType.SANDBOX_RESTORING : EventType.SANDBOX_PAUSING;
            case PAUSED -> isFrom(SandboxState.RESUMING) ? notResumed() : EventType.SANDBOX_PAUSED;
            case RESUMING ->
                    isFrom(SandboxState.RESUMING) ? notResumed() : EventType.SANDBOX_RESUMING;
            case ENDED -> EventType.SANDBOX_ENDED;
        };
    }

    private boolean isFrom(SandboxState state) {
        return from.filter(each -> each == state).isPresent();
    }

    private EventType notResumed() {
        return replaced ? EventType.SANDBOX_RESTORE_FAILED : EventType.SANDBOX_RESUME_FAILED;
    }

    private EventType running() {
        return switch (from.orElse(SandboxState.STARTING)) {
            case SNAPSHOTTING -> EventType.SANDBOX_CAPTURE_ENDED;
            case PAUSING ->
                    replaced ? EventType.SANDBOX_RESTORE_FAILED : EventType.SANDBOX_PAUSE_FAILED;
            case RESUMING, PAUSED ->
                    replaced ? EventType.SANDBOX_RESTORED : EventType.SANDBOX_RESUMED;
            default -> EventType.SANDBOX_STARTED;
        };
    }
}
