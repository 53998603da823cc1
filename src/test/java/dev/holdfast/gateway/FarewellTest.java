package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.fleet.FleetConfig;
import java.time.Duration;
import javax.management.AttributeChangeNotification;
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

    private void told(String before, String now) {
        farewell.hear(
                new AttributeChangeNotification(
                        this, 1, 1, "changed", "RunningState", "String", before, now));
    }
}
