package dev.holdfast.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;

/** A sandbox of the first generation, as a program uses one: everything but being saved. */
@Tag("R75")
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class GenerationIT {

    private static final Duration LIFETIME = Duration.ofMinutes(5);
    private static final String TEMPLATE = "base-light";

    private final E2bClient client = new E2bClient(SharedServer.api(), SharedServer.apiKey());
    private E2bClient.Sandbox sandbox;

    @BeforeAll
    void create() {
        sandbox = client.create(TEMPLATE, LIFETIME);
    }

    @AfterAll
    void kill() {
        assertThat(client.kill(sandbox.id())).isTrue();
        assertThat(client.lifecycleState(sandbox.id())).isEqualTo("ENDED");
    }

    @Test
    void runsCommandsAndKeepsFilesLikeAnyOther() {
        assertThat(client.must(sandbox, "whoami; hostname"))
                .isEqualTo("user\n" + sandbox.id() + "\n");
        client.write(sandbox, "/app/state.json", "{}");
        assertThat(client.read(sandbox, "/app/state.json")).isEqualTo("{}");
        assertThat(client.must(sandbox, "cat /app/state.json; stat -c %U /app/state.json"))
                .isEqualTo("{}user\n");
        assertThat(client.must(sandbox, "sudo -n sh -c 'id -u; echo x > /etc/mine; cat /etc/mine'"))
                .isEqualTo("0\nx\n");
        assertThat(client.must(sandbox, "getent hosts $(hostname) && python3 -c 'print(6 * 7)'"))
                .endsWith("42\n");
        assertThat(client.must(sandbox, "cat /proc/self/uid_map | tr -s ' '"))
                .startsWith(" 0 2")
                .endsWith(" 65536\n");
    }

    @Test
    @Tag("R94")
    @Tag("F17")
    void isRefusedACaptureAPauseAndAForkBeforeAnythingIsTaken() {
        int before = client.snapshots().size();
        String name = "light-" + UUID.randomUUID();
        for (int i = 0; i < 2; i++) {
            refused(409, client.snapshotAsync(sandbox, name).join());
            refused(409, client.ask(sandbox.id(), "fork", Map.of()).join());
            refused(400, client.ask(sandbox.id(), "pause", Map.of()).join());
            refused(400, client.ask(sandbox.id(), "pause", Map.of("memory", false)).join());
        }
        assertThat(client.lifecycleState(sandbox.id())).isEqualTo("RUNNING");
        assertThat(client.snapshots()).hasSize(before);
        assertThat(client.must(sandbox, "echo usable")).isEqualTo("usable\n");
        // The name is free for another.
        E2bClient.Sandbox other = client.create("base", LIFETIME);
        try {
            client.deleteSnapshot(client.snapshot(other, name).id());
        } finally {
            client.kill(other.id());
        }
    }

    @Test
    @Tag("F2")
    void isNotMadeWithAPauseAtItsTimeoutThatCouldNeverBeKept() {
        int before = client.sandboxes().size();
        for (Map<String, Object> lifecycle :
                List.<Map<String, Object>>of(
                        Map.of("autoPause", true),
                        Map.of("autoResume", Map.of("enabled", true)),
                        Map.of("autoPause", true, "autoResume", Map.of("enabled", true)))) {
            var body = new HashMap<String, Object>(lifecycle);
            body.put("templateID", TEMPLATE);
            body.put("timeout", 60);
            refused(409, client.askToOpen(body, UUID.randomUUID().toString()).join());
        }
        assertThat(client.sandboxes()).hasSize(before);
    }

    @Test
    void isToldOfInTheHealth() throws Exception {
        var request =
                HttpRequest.newBuilder(SharedServer.get().management().resolve("/health/live"))
                        .build();
        assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body())
                .contains("\"takesGeneration1\":true");
    }

    private static void refused(int status, HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(new JsonPath(answer.body()).getString("reason"))
                .isEqualTo("generation_unsupported");
    }
}
