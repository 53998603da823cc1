package dev.holdfast.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many together, or one alone. */
@Timeout(20)
class GateTest {

    private static final Duration LONG = Duration.ofSeconds(10);

    private final Gate gate = new Gate();

    @Test
    void letsManyInTogetherAndNobodyBesideOneWhoIsAlone() {
        Gate.Pass one = gate.together(Duration.ZERO).orElseThrow();
        Gate.Pass two = gate.together(Duration.ZERO).orElseThrow();
        assertThat(gate.alone(Duration.ZERO)).isEmpty();
        one.close();
        assertThat(gate.alone(Duration.ofMillis(20))).isEmpty();
        two.close();
        Gate.Pass alone = gate.alone(Duration.ZERO).orElseThrow();
        assertThat(gate.together(Duration.ofMillis(20))).isEmpty();
        assertThat(gate.alone(Duration.ZERO)).isEmpty();
        alone.close();
        assertThat(gate.together(Duration.ZERO)).isPresent();
    }

    @Test
    void takesAPassBackOnceAndFromAnyThread() {
        Gate.Pass one = gate.together(Duration.ZERO).orElseThrow();
        Gate.Pass two = gate.together(Duration.ZERO).orElseThrow();
        CompletableFuture.runAsync(one::close).join();
        one.close();
        assertThat(gate.alone(Duration.ZERO)).as("the other is still there").isEmpty();
        CompletableFuture.runAsync(two::close).join();
        assertThat(gate.alone(Duration.ZERO)).isPresent();
    }

    @Test
    void letsHimInFirstWhoWaitsToBeAlone() throws Exception {
        Gate.Pass one = gate.together(Duration.ZERO).orElseThrow();
        CompletableFuture<Optional<Gate.Pass>> alone =
                CompletableFuture.supplyAsync(() -> gate.alone(LONG));
        while (gate.together(Duration.ZERO).map(GateTest::gone).isPresent()) {
            Thread.sleep(1);
        }
        CompletableFuture<Optional<Gate.Pass>> after =
                CompletableFuture.supplyAsync(() -> gate.together(LONG));
        one.close();
        Gate.Pass waited = alone.get().orElseThrow();
        assertThat(after).isNotDone();
        waited.close();
        assertThat(after.get()).isPresent();
    }

    private static Gate.Pass gone(Gate.Pass pass) {
        pass.close();
        return pass;
    }
}
