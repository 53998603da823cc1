package dev.holdfast.envd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.ErrorCode;
import dev.holdfast.agent.FileEvent;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WatcherTest {

    private static final int MEBIBYTE = 1024 * 1024;
    private static final FileEvent EVENT =
            new FileEvent("a", FileEvent.Type.CREATE, Optional.empty());
    private static final AgentException FAILURE =
            new AgentException(ErrorCode.INTERNAL, "the watch is over");

    private final WatcherSpace all = WatcherSpace.ofAll();

    /** An agent that tells events first and then refuses would else take the place of everybody. */
    @Test
    void oneThatNeverBeganGivesBackWhatItKept() {
        for (int i = 0; i < 20; i++) {
            Watcher watcher = new Watcher(all.ofSandbox(), () -> {});
            watcher.onEvent(EVENT, 7 * MEBIBYTE);
            watcher.onError(FAILURE);
            assertThat(watcher.started()).isCompletedExceptionally();
        }
        assertThat(all.take(63 * MEBIBYTE)).isEqualTo(WatcherSpace.Fit.ROOM);
    }

    @Test
    void whatHappenedBeforeAFailureIsToldBeforeIt() {
        Watcher watcher = new Watcher(all.ofSandbox(), () -> {});
        watcher.onStarted();
        watcher.onEvent(EVENT, 20);
        watcher.onError(FAILURE);
        assertThat(watcher.fetch().toCompletableFuture())
                .isCompletedWithValueMatching(told -> told.contains(EVENT));
        assertThat(watcher.fetch().toCompletableFuture()).isCompletedExceptionally();
    }
}
