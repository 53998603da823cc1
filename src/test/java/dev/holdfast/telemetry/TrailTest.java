package dev.holdfast.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.jboss.logging.MDC;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrailTest {

    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @AfterEach
    void leavesNothing() {
        assertThat(Trail.here()).isEqualTo(Trail.empty());
    }

    @Test
    void isWhatTheRequestNamesOfItself() {
        var trail =
                Trail.ofRequest(
                        "r-1", PARENT, "/api/v1/projects/acme/sandboxes/i0123456789/snapshots");

        assertThat(trail.marks())
                .isEqualTo(
                        Map.of(
                                Mark.REQUEST, "r-1",
                                Mark.TRACE, PARENT,
                                Mark.SANDBOX, "i0123456789"));
        assertThat(Trail.ofRequest("r", null, "/api/v1/projects/a/operations/u-1/cancel").marks())
                .containsEntry(Mark.UPLOAD, "u-1")
                .doesNotContainKey(Mark.TRACE);
        assertThat(Trail.ofRequest("r", null, "/snapshots").marks()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/sandboxes/a%0Ab", "/sandboxes/a b", "/sandboxes/", "/sandboxesx/y"})
    void takesNothingFromAPathThatIsNotFitForALog(String path) {
        assertThat(Trail.ofRequest("r", null, path).marks()).containsOnlyKeys(Mark.REQUEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\nb", "ä"})
    void leavesOutWhatWouldWriteALineOfTheLog(String value) {
        assertThat(Trail.empty().with(Mark.PROJECT, value)).isEqualTo(Trail.empty());
        assertThat(Trail.empty().with(Mark.TRACE, value + PARENT)).satisfies(this::isShort);
        Trail.mark(Mark.PROJECT, value);
        assertThatThrownBy(() -> new Trail(Map.of(Mark.REQUEST, value)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void isShort(Trail trail) {
        trail.get(Mark.TRACE).ifPresent(value -> assertThat(value).isEqualTo(PARENT));
    }

    @Test
    void isInTheLogContextWhileItIsOpen() {
        var outer = Trail.empty().with(Mark.REQUEST, "outer").with(Mark.UPLOAD, "u");
        try (var one = outer.open()) {
            try (var two = Trail.empty().with(Mark.REQUEST, "inner").open()) {
                assertThat(MDC.get("requestId")).isEqualTo("inner");
                assertThat(MDC.get("upload")).isNull();
                Trail.mark(Mark.SANDBOX, "i1");
                assertThat(Trail.here().get(Mark.SANDBOX)).contains("i1");
            }
            assertThat(Trail.here()).isEqualTo(outer);
        }
    }

    @Test
    void followsATaskToAnotherThreadAndStaysWithNone() throws Exception {
        var pool = Executors.newSingleThreadExecutor();
        try {
            var trail = Trail.empty().with(Mark.REQUEST, "r-2");
            assertThat(pool.submit(trail.around(Trail::here)).get()).isEqualTo(trail);

            var seen = new CompletableFuture<Trail>();
            Runnable task = () -> seen.complete(Trail.here());
            pool.execute(trail.around(task));
            assertThat(seen.get()).isEqualTo(trail);
            assertThat(pool.submit(Trail::here).get()).isEqualTo(Trail.empty());
        } finally {
            pool.shutdownNow();
        }
    }
}
