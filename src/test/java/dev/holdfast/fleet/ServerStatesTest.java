package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.fleet.ServerStates.Turn;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerStatesTest {

    private final ServerStates states = new ServerStates();
    private final List<Turn> told = new ArrayList<>();

    @Test
    void tellsOfAStopInTheOrderOfTheirTurnsWhoeverCameFirst() throws Exception {
        try (PlayedServer server = new PlayedServer()) {
            for (List<Turn> order :
                    List.of(
                            List.of(Turn.FAREWELL, Turn.DRAIN),
                            List.of(Turn.DRAIN, Turn.FAREWELL))) {
                told.clear();
                order.forEach(turn -> states.tell(turn, news -> told.add(turn)));
                server.turn("normal", "suspending");
                assertThat(told).containsExactly(Turn.FAREWELL, Turn.DRAIN);
                order.forEach(states::forget);
            }
        }
    }

    @Test
    void tellsNobodyWhoIsForgotten() throws Exception {
        try (PlayedServer server = new PlayedServer()) {
            states.tell(Turn.DRAIN, news -> told.add(Turn.DRAIN));
            states.tell(Turn.FAREWELL, news -> told.add(Turn.FAREWELL));
            states.forget(Turn.FAREWELL);
            server.turn("normal", "suspending");
            states.forget(Turn.DRAIN);
            states.forget(Turn.DRAIN);
            server.turn("suspended", "stopping");
            assertThat(told).containsExactly(Turn.DRAIN);
        }
    }
}
