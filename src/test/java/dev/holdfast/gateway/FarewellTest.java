package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.fleet.FleetConfig;
import dev.holdfast.fleet.PlayedServer;
import dev.holdfast.fleet.ServerStates;
import dev.holdfast.fleet.ServerStates.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FarewellTest {

    private final Farewell farewell = new Farewell();
    private Duration time = Duration.ofMillis(200);

    FarewellTest() {
        farewell.config =
                new FleetConfig() {
                    @Override
                    public Duration farewell() {
                        return time;
                    }
                };
    }

    @Test
    void holdsAStopUpForItsTimeAndOnce() {
        assertThat(farewell.hasBegun()).isFalse();
        long began = System.nanoTime();
        told("normal", "suspending");
        assertThat(farewell.hasBegun()).isTrue();
        assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(time.toNanos());

        time = Duration.ofHours(1);
        told("suspended", "stopping");
        assertThat(farewell.hasBegun()).isTrue();
    }

    @Test
    void isOverWhenTheServerGoesOn() {
        told("normal", "suspending");
        told("suspended", "normal");
        assertThat(farewell.hasBegun()).isFalse();
    }

    /** It is not ready, and connections end, by when what runs here is paused. */
    @Test
    void beginsNoLaterThanTheDrain() throws Exception {
        List<Boolean> begun = new ArrayList<>();
        farewell.states = new ServerStates();
        try (PlayedServer server = new PlayedServer()) {
            farewell.states.tell(Turn.DRAIN, news -> begun.add(farewell.hasBegun()));
            farewell.watch(null);
            server.turn("normal", "suspending");
        }
        assertThat(begun).containsExactly(true);
    }

    private void told(String before, String now) {
        farewell.hear(PlayedServer.news(this, "RunningState", before, now));
    }
}
