package dev.holdfast.envd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatcherSpaceTest {

    private static final long MEBIBYTE = 1024 * 1024;

    private final WatcherSpace all = WatcherSpace.ofAll();

    @Test
    void countsAnEventWithWhatItTakesBesidesItsBytes() {
        var sandbox = all.ofSandbox();
        var events = 0;
        while (sandbox.take(WatcherSpace.weight(20)) == WatcherSpace.Fit.ROOM) {
            events++;
        }
        assertThat(events).isBetween(20_000, 40_000);
    }

    @Test
    void keepsAPlaceForWhatTheAgentHadCreditForAndNoMore() {
        var sandbox = all.ofSandbox();
        assertThat(sandbox.take(8 * MEBIBYTE)).isEqualTo(WatcherSpace.Fit.ROOM);
        assertThat(sandbox.take(2 * MEBIBYTE)).isEqualTo(WatcherSpace.Fit.TIGHT);
        assertThat(sandbox.take(1)).isEqualTo(WatcherSpace.Fit.NONE);
        sandbox.give(10 * MEBIBYTE);
        assertThat(sandbox.take(8 * MEBIBYTE)).isEqualTo(WatcherSpace.Fit.ROOM);
    }

    @Test
    void boundsAllSandboxesTogether() {
        List<WatcherSpace> sandboxes = new ArrayList<>();
        WatcherSpace.Fit fit = WatcherSpace.Fit.ROOM;
        while (fit != WatcherSpace.Fit.NONE) {
            sandboxes.add(all.ofSandbox());
            fit = sandboxes.get(sandboxes.size() - 1).take(8 * MEBIBYTE);
        }
        assertThat(sandboxes).hasSize(11);
        var small = all.ofSandbox();
        assertThat(small.take(200 * 1024)).as("its own").isEqualTo(WatcherSpace.Fit.TIGHT);
        assertThat(small.take(200 * 1024)).isEqualTo(WatcherSpace.Fit.NONE);
        small.give(200 * 1024);
        sandboxes.get(0).give(8 * MEBIBYTE);
        assertThat(sandboxes.get(10).take(8 * MEBIBYTE)).isEqualTo(WatcherSpace.Fit.TIGHT);
    }
}
