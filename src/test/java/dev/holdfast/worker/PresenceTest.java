package dev.holdfast.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PresenceTest {

    private final Presence presence = new Presence();

    @Test
    void isEmptyWhenTheLastGuestHasLeft() {
        var one = presence.enter(() -> false);
        var two = presence.enter(() -> false);
        one.leave();
        one.leave();
        assertThat(presence.isEmpty()).isFalse();
        two.leave();
        assertThat(presence.isEmpty()).isTrue();
    }

    @Test
    void showsOutWhoWasCutOff() {
        var cut = new AtomicBoolean();
        presence.enter(cut::get);
        assertThat(presence.isEmpty()).isFalse();
        cut.set(true);
        assertThat(presence.isEmpty()).isTrue();
    }

    @Test
    void isIdleSinceTheLastOneLeft() throws InterruptedException {
        var guest = presence.enter(() -> false);
        Thread.sleep(50);
        guest.leave();
        assertThat(presence.idle()).isLessThan(Duration.ofMillis(50));
        Thread.sleep(50);
        assertThat(presence.idle()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        presence.busy();
        assertThat(presence.idle()).isLessThan(Duration.ofMillis(50));
    }

    /** A command may have been started by whoever came after the agent was asked. */
    @Test
    void isQuietUntilSomebodyComes() {
        assertThat(presence.isQuiet()).isFalse();
        presence.quiet(presence.visits());
        assertThat(presence.isQuiet()).isTrue();
        presence.enter(() -> false).leave();
        assertThat(presence.isQuiet()).isFalse();
        presence.quiet(0);
        assertThat(presence.isQuiet()).as("an answer of before the visit").isFalse();
    }
}
