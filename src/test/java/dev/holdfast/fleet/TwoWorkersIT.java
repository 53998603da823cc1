package dev.holdfast.fleet;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.job.AdminClient;
import dev.holdfast.run.AnotherNode;
import dev.holdfast.run.LocalServer;
import dev.holdfast.run.SharedServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A second server beside the shared one, where there is the time to start it. */
class TwoWorkersIT {

    private static final int REPEAT = Integer.getInteger("holdfast.repeat", 2);
    private static final Duration LIFE = Duration.ofMinutes(10);

    /** What it ran goes on here as if nothing had been; its stop is a drain where it may be. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("R168")
    void whatADrainedServerRanGoesOnOnAnother(boolean byAnOperator) throws Exception {
        assumeTrue(REPEAT >= 10, "only with the full counts");
        var api = new NativeClient();
        var here = new E2bClient(SharedServer.api(), SharedServer.apiKey());
        var second =
                LocalServer.of(
                                AnotherNode.beside(
                                        "node",
                                        900,
                                        Map.of(
                                                "HOLDFAST_WORKER_DRAIN",
                                                byAnOperator ? "PT0S" : "PT1M",
                                                "HOLDFAST_CACHE",
                                                SharedServer.get().options().cache().toString())))
                        .forget();
        try {
            second.start();
            api.sql("update worker set missing = 'it is held back' where id = 'worker-1'");
            Sandbox sandbox = new E2bClient(second.api(), second.apiKey()).create("base", LIFE);
            api.sql("update worker set missing = '' where id = 'worker-1'");
            var there = new E2bClient(second.api(), second.apiKey());
            there.write(sandbox, "/home/user/kept", "as it was");
            assertThat(where(api, sandbox)).isEqualTo("worker-2 RUNNING");

            if (byAnOperator) {
                expect(200, new AdminClient(second).put("/workers/worker-2/drain"));
                await("it to be paused", () -> where(api, sandbox).endsWith("PAUSED"));
            }
            second.stop();
            assertThat(where(api, sandbox)).isEqualTo("worker-2 PAUSED");
            assertThat(here.read(sandbox, "/home/user/kept")).isEqualTo("as it was");
            await("it goes on here", () -> where(api, sandbox).equals("worker-1 RUNNING"));
            assertThat(here.kill(sandbox.id())).isTrue();
        } finally {
            api.sql("update worker set missing = '' where id = 'worker-1'");
            second.stop();
            second.erase();
        }
    }

    private static String where(NativeClient api, Sandbox sandbox) throws Exception {
        return api.value(
                "select worker_id || ' ' || state from sandbox where id = '" + sandbox.id() + "'");
    }
}
