package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Calls made up from the machine-readable descriptions of both planes: no 5xx but a documented one,
 * no hang, nothing of the inside in an answer, and a server that works as before. It plays in a
 * project of its own.
 */
class FuzzIT {

    private static final Path SOURCES = Path.of("src/test/sdk/fuzz");
    private static final Path PLACE = Path.of("target/sdk/fuzz");
    private static final Path CONTROL_PLANE = Path.of("src/main/resources/openapi/e2b.yaml");
    private static final Path DATA_PLANE = SOURCES.resolve("data-plane.yaml");
    private static final int REQUEST_LIMIT = 60;

    private static E2bClient client;
    private static String key;

    @BeforeAll
    static void prepares() throws Exception {
        var server = SharedServer.get();
        key = OtherProject.key(SharedServer.api(), SharedServer.apiKey(), server.databaseUrl());
        client = new E2bClient(SharedServer.api(), key);
        Sdk.copy(SOURCES, PLACE);
        Sdk.makePython(PLACE);
    }

    @Test
    void controlPlaneAnswersWhateverIsSent() throws Exception {
        survives("control-plane", CONTROL_PLANE, Map.of("X-API-KEY", key));
    }

    @Test
    void dataPlaneAnswersWhateverIsSent() throws Exception {
        var sandbox = client.create("base", Duration.ofHours(1));
        survives(
                "data-plane",
                DATA_PLANE,
                Map.of(
                        "E2b-Sandbox-Id", sandbox.id(),
                        "E2b-Sandbox-Port", "49983",
                        "X-Access-Token", sandbox.token()));
    }

    private static void survives(String name, Path description, Map<String, String> headers)
            throws Exception {
        var others = new E2bClient(SharedServer.api(), SharedServer.apiKey());
        var before = others.sandboxes();
        var log = PLACE.resolve(name + ".log");

        int code = fuzz(log, description, headers);

        assertThat(code).as(() -> Sdk.read(log)).isZero();
        client.sandboxes().forEach(client::kill);
        client.snapshots().forEach(snapshot -> client.deleteSnapshot(snapshot.id()));
        assertThat(client.sandboxes()).isEmpty();
        assertThat(others.sandboxes()).isEqualTo(before);
        var next = client.create("base", Duration.ofMinutes(1));
        assertThat(client.must(next, "echo works")).isEqualTo("works\n");
        assertThat(client.kill(next.id())).isTrue();
    }

    private static int fuzz(Path log, Path description, Map<String, String> headers)
            throws Exception {
        boolean full = Integer.getInteger("holdfast.repeat", 2) >= 10;
        int seconds = full ? 900 : 8;
        var command =
                new ArrayList<>(
                        List.of(
                                "venv/bin/st",
                                "run",
                                description.toAbsolutePath().toString(),
                                "--url=" + SharedServer.api(),
                                "--checks=refuses_properly",
                                "--max-time=" + seconds,
                                "--request-timeout=" + REQUEST_LIMIT,
                                "--continue-on-failure",
                                "--generation-allow-x00=true",
                                "--generation-database=none",
                                "--suppress-health-check=all",
                                "--warnings=off",
                                "--no-color"));
        headers.forEach((name, value) -> command.addAll(List.of("-H", name + ": " + value)));
        var environment = new HashMap<String, String>();
        environment.put("SCHEMATHESIS_HOOKS", "hooks");
        environment.put("E2B_API_URL", SharedServer.api().toString());
        environment.put("E2B_API_KEY", key);
        return Sdk.execute(
                PLACE,
                Duration.ofSeconds(seconds * 2L + 300),
                log,
                environment,
                command.toArray(String[]::new));
    }
}
