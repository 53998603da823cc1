package dev.holdfast.hop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrafficTest {

    private static final int MOST = 60;

    private final Traffic traffic = new Traffic(MOST);

    @Test
    void givesNobodyMoreThanIsLeftForTheOthers() {
        assertThat(all("one")).hasSize(MOST / 2);
        assertThat(all("two")).hasSize(MOST / 4);
        assertThat(all("one")).isEmpty();
    }

    @Test
    void hasRoomForWhoComesWithTheFirstHoweverManyWantMore() {
        for (int round = 0; round < MOST; round++) {
            for (int who = 0; who < 9; who++) {
                traffic.admit(of("greedy-" + who));
            }
        }
        assertThat(traffic.all()).hasSizeBetween(MOST / 2, MOST - MOST / 10);
        assertThat(all("newcomer")).isNotEmpty();
    }

    @Test
    void givesAgainWhatWasGivenBackOnce() {
        List<Relay> held = all("one");
        Relay first = held.get(0);
        traffic.dismiss(first);
        traffic.dismiss(first);
        assertThat(all("one")).hasSize(1);
        held.forEach(traffic::dismiss);
        assertThat(traffic.all()).hasSize(1);
        assertThat(all("one")).hasSize(MOST / 2 - 1);
    }

    @Test
    void servesOnlyWhatThereIs() {
        Traffic narrow = new Traffic(1);
        assertThat(narrow.admit(of("one"))).isTrue();
        assertThat(narrow.admit(of("two"))).isFalse();
    }

    private List<Relay> all(String share) {
        List<Relay> admitted = new ArrayList<>();
        for (Relay each = of(share); traffic.admit(each); each = of(share)) {
            admitted.add(each);
        }
        return admitted;
    }

    private static Relay of(String share) {
        return new Relay(null, null, null, new Way.Share(share), null);
    }
}
