package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RoomTest {

    private final Room server = new Room(100);
    private final Room sandbox = server.within(60);
    private final Room stream = sandbox.within(50);

    @Test
    void countsWhatIsTakenInEachRoomAround() {
        stream.take(40);
        sandbox.take(10);
        assertThat(stream.used()).isEqualTo(40);
        assertThat(sandbox.used()).isEqualTo(50);
        assertThat(server.used()).isEqualTo(50);
        stream.give(15);
        assertThat(server.used()).isEqualTo(35);
    }

    @Test
    void refusesWhatFitsHereAndNotAroundAndTakesNothingThen() {
        var other = server.within(60);
        other.take(60);
        stream.take(40);
        assertFull(stream, 1);
        assertThat(stream.used()).isEqualTo(40);
        assertThat(sandbox.used()).isEqualTo(40);
        other.give(60);
        stream.take(10);
        assertFull(stream, 1);
    }

    @Test
    void othersThatFillWhatIsAroundLeaveOneItsOwn() {
        var small = server.within(60, 10);
        var within = small.within(30);
        sandbox.take(60);
        server.within(60).take(40);
        within.take(10);
        assertFull(within, 1);
        assertThat(server.used()).isEqualTo(110);
        within.give(10);
        assertThat(server.used()).isEqualTo(100);
        sandbox.give(60);
        within.take(30);
        assertFull(within, 1);
    }

    @Test
    void givesEverythingBackWhenItIsClosedAndNothingTwice() {
        stream.take(50);
        stream.close();
        stream.give(50);
        stream.close();
        assertThat(server.used()).isZero();
        assertFull(stream, 1);
        sandbox.take(60);
    }

    @Test
    void givesBackNoMoreThanWasTaken() {
        stream.take(5);
        assertThatThrownBy(() -> stream.give(6)).isInstanceOf(IllegalArgumentException.class);
        assertThat(server.used()).isEqualTo(5);
    }

    private static void assertFull(Room room, long bytes) {
        assertThatThrownBy(() -> room.take(bytes))
                .isInstanceOfSatisfying(
                        AgentException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
    }
}
