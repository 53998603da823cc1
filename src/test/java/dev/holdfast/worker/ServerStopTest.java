package dev.holdfast.worker;

import static dev.holdfast.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.fleet.FleetConfig;
import dev.holdfast.fleet.PlayedServer;
import dev.holdfast.fleet.ServerStates;
import dev.holdfast.fleet.ServerStates.Turn;
import dev.holdfast.fleet.Workers;
import dev.holdfast.fleet.Workers.Leave;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServerStopTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final ServerStop stop = new ServerStop();

    @Test
    void holdsUpAStopUntilItIsLetGo() throws Exception {
        stop.config = config(Optional.of(LONG), false);
        assertThat(stop.isAsked()).isFalse();

        var held = told("normal", "suspending");

        await("it is asked", stop::isAsked);
        assertThat(held).isNotDone();
        stop.letGo();
        held.get(10, TimeUnit.SECONDS);
        assertThat(stop.isAsked()).as("it goes on to its end").isTrue();
    }

    @Test
    void letsAStopGoOnWhenItsTimeIsOver() throws Exception {
        var most = Duration.ofMillis(200);
        stop.config = config(Optional.of(most), false);
        long began = System.nanoTime();

        told("normal", "suspending").get(10, TimeUnit.SECONDS);

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(most);
    }

    /** It says that it suspends and that it stops, and may say the second alone. */
    @Test
    void holdsUpAStopOnce() throws Exception {
        stop.config = config(Optional.of(LONG), false);
        var held = told("normal", "stopping");
        await("it is asked", stop::isAsked);
        stop.letGo();
        held.get(10, TimeUnit.SECONDS);

        told("suspended", "stopping").get(10, TimeUnit.SECONDS);
    }

    @Test
    void holdsUpTheNextOneWhenOneWasCalledOff() throws Exception {
        stop.config = config(Optional.of(Duration.ofMillis(1)), false);
        told("normal", "suspending").get(10, TimeUnit.SECONDS);
        told("suspended", "normal").get(10, TimeUnit.SECONDS);
        assertThat(stop.isAsked()).isFalse();

        stop.config = config(Optional.of(LONG), false);
        var held = told("normal", "suspending");

        await("it is asked", stop::isAsked);
        assertThat(held).isNotDone();
        stop.letGo();
        held.get(10, TimeUnit.SECONDS);
    }

    @Test
    void takesSandboxesAgainWhenAStopIsCalledOff() {
        var row = stop(Leave.BEGUN, Leave.GOES_ON);
        assertThat(stop.leave()).isTrue();
        assertThat(stop.leave()).isTrue();
        stop.stay();
        stop.stay();
        assertThat(row.stays).isEqualTo(1);
    }

    @Test
    void leavesItDrainedWhereSomebodyElseWantedThat() {
        var row = stop(Leave.GOES_ON, Leave.NOT_ITS_OWN);
        assertThat(stop.leave()).isTrue();
        assertThat(stop.leave()).isFalse();
        stop.stay();
        assertThat(row.stays).isZero();
    }

    @Test
    void beginsNoSoonerThanTheFarewell() throws Exception {
        stop.config = config(Optional.of(Duration.ofMillis(1)), false);
        stop.states = new ServerStates();
        List<Boolean> asked = new ArrayList<>();
        try (PlayedServer server = new PlayedServer()) {
            stop.watch();
            stop.states.tell(Turn.FAREWELL, news -> asked.add(stop.isAsked()));
            server.turn("normal", "suspending");
        }
        assertThat(asked).containsExactly(false);
        assertThat(stop.isAsked()).isTrue();
    }

    @Test
    void takesNoOtherNewsForAStop() throws Exception {
        stop.config = config(Optional.of(LONG), false);

        told("starting", "normal").get(10, TimeUnit.SECONDS);
        change("RuntimeConfigurationState", "ok", "stopping").get(10, TimeUnit.SECONDS);

        assertThat(stop.isAsked()).isFalse();
    }

    @Test
    void waitsUnlessItIsToldWhereOthersCanGoOn() {
        assertThat(config(Optional.empty(), true).drain()).isZero();
        assertThat(config(Optional.empty(), false).drain()).isEqualTo(Duration.ofMinutes(5));
        assertThat(config(Optional.of(LONG), true).drain()).isEqualTo(LONG);
        assertThatThrownBy(() -> config(Optional.of(LONG.negated()), true).check())
                .hasMessageContaining("holdfast.worker.drain")
                .hasMessageContaining("PT-1M");
    }

    private CompletableFuture<Void> told(String before, String now) {
        return change("RunningState", before, now);
    }

    /** As the server tells it: it goes on when whoever is told has returned. */
    private CompletableFuture<Void> change(String attribute, String before, String now) {
        var news = PlayedServer.news(this, attribute, before, now);
        return CompletableFuture.runAsync(() -> stop.hear(news), each -> thread(each).start());
    }

    /** Of its own: others need those of the common pool while this one waits. */
    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "stops the server");
        thread.setDaemon(true);
        return thread;
    }

    /** What its row says to each wish to leave. */
    private Row stop(Leave... answers) {
        var row = new Row(new ArrayDeque<>(List.of(answers)));
        stop.config = config(Optional.of(LONG), false);
        stop.tenure = new Tenure();
        stop.workers = row;
        return row;
    }

    private static final class Row extends Workers {

        private final Deque<Leave> answers;
        private int stays;

        Row(Deque<Leave> answers) {
            this.answers = answers;
        }

        @Override
        public Leave leave(String id, long incarnation) {
            return answers.remove();
        }

        @Override
        public void stay(String id, long incarnation) {
            stays++;
        }
    }

    private static WorkerConfig config(Optional<Duration> drain, boolean alone) {
        var config = new WorkerConfig();
        config.id = "worker-1";
        config.drain = drain;
        config.fleet =
                new FleetConfig() {
                    @Override
                    public boolean isAlone() {
                        return alone;
                    }
                };
        return config;
    }
}
