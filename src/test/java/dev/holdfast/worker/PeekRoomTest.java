package dev.holdfast.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.access.ProjectId;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** For how many there is room. */
class PeekRoomTest {

    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Predicate<Predicate<ProjectId>> NOBODY_GOES = any -> false;

    private final PeekRoom room = new PeekRoom(3, 2);
    private final ProjectId one = new ProjectId(UUID.randomUUID());
    private final ProjectId other = new ProjectId(UUID.randomUUID());

    @Test
    void givesEachProjectItsShareAndNoMoreThanThereIs() {
        assertThat(take(one)).isTrue();
        assertThat(take(one)).isTrue();
        assertThat(take(one)).isFalse();
        assertThat(take(other)).isTrue();
        assertThat(take(other)).isFalse();
    }

    @Test
    void hasAnIdleOneGo() {
        UUID idle = UUID.randomUUID();
        room.take(idle, one, SHORT, NOBODY_GOES);
        take(one);
        var asked = new AtomicInteger();
        assertThat(
                        room.take(
                                UUID.randomUUID(),
                                one,
                                SHORT,
                                wanted -> {
                                    asked.incrementAndGet();
                                    assertThat(wanted.test(one)).isTrue();
                                    assertThat(wanted.test(other))
                                            .as("another project's would make no room")
                                            .isFalse();
                                    room.leave(idle);
                                    return true;
                                }))
                .isTrue();
        assertThat(asked).hasValue(1);
    }

    @Test
    void waitsForWhoLeaves() throws Exception {
        UUID first = UUID.randomUUID();
        room.take(first, one, SHORT, NOBODY_GOES);
        take(one);
        take(other);
        var third =
                CompletableFuture.supplyAsync(
                        () ->
                                room.take(
                                        UUID.randomUUID(),
                                        other,
                                        Duration.ofSeconds(20),
                                        NOBODY_GOES));
        Thread.sleep(50);
        assertThat(third).isNotDone();
        room.leave(first);
        assertThat(third.get()).isTrue();
    }

    @Test
    @Timeout(10)
    void refusesAtOnceWhoseOwnProjectIsInTheWay() {
        take(one);
        take(one);
        assertThat(room.take(UUID.randomUUID(), one, Duration.ofMinutes(1), NOBODY_GOES)).isFalse();
    }

    private boolean take(ProjectId project) {
        return room.take(UUID.randomUUID(), project, SHORT, NOBODY_GOES);
    }
}
