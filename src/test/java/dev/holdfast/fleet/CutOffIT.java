package dev.holdfast.fleet;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.capture.Leavings;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.job.AdminClient;
import dev.holdfast.run.AnotherNode;
import dev.holdfast.run.LocalBroker;
import dev.holdfast.run.LocalServer;
import dev.holdfast.run.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two nodes on a broker elsewhere, and nothing comes through any more between one of them and the
 * database. All of it is this test's own.
 */
class CutOffIT {

    private static final String FIRST = "worker-1";
    private static final String SECOND = "worker-2";
    private static final Duration LIFE = Duration.ofHours(1);

    /** Given up is what it ran when its lease is over for so long. */
    private static final Duration LOST = Duration.ofSeconds(20);

    private static LocalBroker broker;
    private static LocalServer first;
    private static LocalServer second;
    private static Line line;
    private static Leavings there;
    private static E2bClient client;

    /** By way of the node that has the sandboxes: it says no address where others reach it. */
    private static E2bClient own;

    private static AdminClient admin;

    @BeforeAll
    static void starts() throws Exception {
        assumeTrue(Integer.getInteger("holdfast.repeat", 2) >= 10, "two boots: in full runs");
        broker = LocalBroker.beside("cut-off", 945).start();
        var settings = new HashMap<>(broker.settings());
        settings.put("HOLDFAST_FLEET_LOST", LOST.toString());
        var options = Options.beside("cut-off", 940, settings);
        first = LocalServer.of(options).forget().start();
        line = new Line(options.databasePort());
        second =
                LocalServer.of(
                                AnotherNode.of(
                                        first,
                                        Options.beside("cut-off-second", 970, Map.of()),
                                        Map.of(
                                                "HOLDFAST_DB_PORT",
                                                "" + line.port(),
                                                "HOLDFAST_CACHE",
                                                options.cache().toString())))
                        .forget();
        second.start();
        there =
                new Leavings(
                        second.options().home(),
                        first.databaseUrl(),
                        SECOND,
                        options.home().resolve("store"));
        client = new E2bClient(first.api(), first.apiKey());
        own = new E2bClient(second.api(), second.apiKey());
        admin = new AdminClient(first);
    }

    @AfterAll
    static void leavesNothing() throws Exception {
        for (var each : new LocalServer[] {second, first}) {
            if (each != null) {
                each.stop();
                each.keepConsole(
                        Path.of("target", "server-log-" + each.options().home().getFileName()));
                each.erase();
            }
        }
        if (line != null) {
            line.close();
        }
        if (broker != null) {
            broker.close();
        }
    }

    /** What others give up has ended before, by this worker's own clock. */
    @Test
    @Tag("R168")
    void endsWhatItRunsBeforeOthersGiveItUp() throws Exception {
        expect(200, admin.put("/workers/" + FIRST + "/drain"));
        var kept = client.create("base", LIFE);
        var other = client.create("base", LIFE);
        expect(200, admin.delete("/workers/" + FIRST + "/drain"));
        own.write(kept, "/home/user/kept", "as it was");
        var snapshot = client.snapshot(kept).id();
        assertThat(there.machines()).hasSize(2);

        line.cut();
        var cut = Instant.now();
        await("its machines are gone", LOST.plusSeconds(10), () -> there.machines().isEmpty());
        for (var each : List.of(kept, other)) {
            assertThat(fate(each)).as("nobody has given it up yet").isEqualTo("RUNNING");
        }
        assertThat(Duration.between(cut, Instant.now()))
                .as("before its lease is over for that long")
                .isLessThan(LOST.plus(FleetConfig.LEASE).minusSeconds(5));
        var meanwhile = client.create(snapshot, LIFE);
        assertThat(client.read(meanwhile, "/home/user/kept")).isEqualTo("as it was");
        for (var each : List.of(kept, other)) {
            await(
                    "it is given up",
                    LOST.multipliedBy(4),
                    () -> fate(each).equals("ENDED WORKER_LOST"));
        }

        line.speak();
        await("it is back", Duration.ofMinutes(2), () -> state(SECOND).equals("ready"));
        expect(200, admin.put("/workers/" + FIRST + "/drain"));
        var restored = client.create(snapshot, LIFE);
        assertThat(own.read(restored, "/home/user/kept")).isEqualTo("as it was");
        assertThat(there.rows("select worker_id from sandbox where id = '" + restored.id() + "'"))
                .containsExactly(SECOND);
        for (var each : List.of(kept, other)) {
            assertThat(fate(each)).isEqualTo("ENDED WORKER_LOST");
        }
        assertThat(there.machines()).hasSize(1);
        client.sandboxes().forEach(client::kill);
    }

    private static String fate(Sandbox sandbox) throws Exception {
        return there.rows(
                        "select concat_ws(' ', state, end_reason) from sandbox where id = '"
                                + sandbox.id()
                                + "'")
                .get(0);
    }

    private static String state(String worker) {
        return expect(200, admin.get("/workers/" + worker)).getString("state");
    }
}
