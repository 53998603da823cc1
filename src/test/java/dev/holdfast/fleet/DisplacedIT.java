package dev.holdfast.fleet;

import static dev.holdfast.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.run.AnotherNode;
import dev.holdfast.run.LocalServer;
import dev.holdfast.run.Management;
import dev.holdfast.run.SharedServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A worker whose way to the database falls silent, and then one whose name another server has. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DisplacedIT {

    private static final String NAME = "worker-2";
    private static final List<String> LISTENERS =
            List.of(
                    "CaptureListener",
                    "CompareListener",
                    "KillListener",
                    "NetworkListener",
                    "PeekListener",
                    "StartListener");
    private static final String FOR_IT = "worker = '" + NAME + "'";

    private static NativeClient api;
    private static Line line;
    private static LocalServer second;

    @BeforeAll
    static void standsBesideTheFirst() throws Exception {
        assumeTrue(Integer.getInteger("holdfast.repeat", 2) >= 10, "a boot: in full runs");
        api = new NativeClient();
        line = new Line(SharedServer.get().options().databasePort());
        second =
                LocalServer.of(
                                AnotherNode.beside(
                                        "displaced",
                                        920,
                                        Map.of("HOLDFAST_DB_PORT", "" + line.port())))
                        .forget();
        second.start();
    }

    @AfterAll
    static void leavesNothing() throws Exception {
        if (second == null) {
            return;
        }
        try {
            api.sql("update worker set missing = '' where id = 'worker-1'");
            api.sql("update sandbox set worker_id = 'worker-1' where worker_id = '" + NAME + "'");
            api.sql("delete from worker where id = '" + NAME + "'");
        } finally {
            second.stop();
            second.erase();
            line.close();
        }
    }

    /** Before it is unreachable, and long before the network gives those connections up. */
    @Test
    @Order(1)
    @Tag("R168")
    void renewsOverAnotherConnectionWhenTheOnesItHasFallSilent() throws Exception {
        line.fallSilent();
        try {
            var later = api.value("select clock_timestamp() + interval '17 seconds'");

            await(
                    "it renews",
                    Workers.LEASE,
                    () ->
                            api.value(
                                            "select lease_until > '"
                                                    + later
                                                    + "' from worker where id = '"
                                                    + NAME
                                                    + "'")
                                    .equals("t"));
        } finally {
            line.speak();
        }
    }

    /** What is for its name is the other's, also where both hear of it. */
    @Test
    @Order(2)
    @Tag("R168")
    void takesNothingMoreFromTheBrokerWhenAnotherHasItsName() throws Exception {
        try (var management = new Management(second)) {
            assertThat(LISTENERS).allSatisfy(each -> assertThat(management.takes(each)).isTrue());

            api.sql("update worker set incarnation = incarnation + 1 where id = '" + NAME + "'");

            await(
                    "it is told",
                    () -> second.health().contains("another server has this worker's name"));
            for (var each : LISTENERS) {
                await(each + " takes nothing", () -> !management.takes(each));
            }
            for (var each : List.of("LostStartListener", "DeadLetterListener", "EventListener")) {
                assertThat(management.takes(each)).as("for any node: " + each).isTrue();
            }
            seemsFit();
            var asked =
                    new E2bClient(second.api(), second.apiKey())
                            .askToOpen(
                                    Map.of("templateID", "base", "timeout", 300),
                                    UUID.randomUUID().toString());
            await("it waits", () -> management.messages("holdfast.runtime", FOR_IT) == 1);
            Thread.sleep(Duration.ofSeconds(1).toMillis());
            assertThat(management.messages("holdfast.runtime", FOR_IT)).isEqualTo(1);
            var sandbox =
                    api.value(
                            "select id from sandbox where state = 'STARTING' and machine_id is null"
                                    + " and worker_id = '"
                                    + NAME
                                    + "'");
            assertThat(new E2bClient(second.api(), second.apiKey()).kill(sandbox)).isTrue();
            asked.join();
        }
    }

    /** As the other one would say it. */
    private static void seemsFit() throws Exception {
        api.sql(
                "update worker w set missing = '', lease_until = now() + interval '5 minutes',"
                        + " runtime_id = o.runtime_id, platform = o.platform, architecture ="
                        + " o.architecture, cpu_features = o.cpu_features, sandbox_limit = 3"
                        + " from worker o where o.id = 'worker-1' and w.id = '"
                        + NAME
                        + "'");
        api.sql("update worker set missing = 'it is held back' where id = 'worker-1'");
    }
}
