package dev.holdfast.api;

import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.Eventually;
import dev.holdfast.e2b.E2bClient;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sandboxes in the native API: what the console lists of them and does with them. */
class SandboxesIT {

    private OwnProject project;
    private String key;
    private E2bClient client;

    @BeforeEach
    void begins() {
        project = OwnProject.make("present");
        key = project.everything();
        client = OwnProject.client(key);
    }

    @AfterEach
    void leavesNothing() {
        client.sandboxes().forEach(client::kill);
        client.snapshots().forEach(each -> client.deleteSnapshot(each.id()));
    }

    private Response ask(String verb, String path, Object body) {
        return OwnProject.ask(key, verb, "/projects/" + project.id() + path, body);
    }

    private List<String> listed(String query) {
        return expect(200, ask("GET", "/sandboxes" + query, null)).getList("sandboxes.id");
    }

    @Test
    @Tag("R8")
    @Tag("R168")
    void areListedAndLedFromOneStateToAnother() throws Exception {
        String first = client.create("base", Duration.ofMinutes(20)).id();
        String id =
                client.create("base", Duration.ofMinutes(10), Map.of("task", "Nightly-Import"))
                        .id();
        String path = "/sandboxes/" + id;

        assertThat(listed("")).containsExactly(id, first);
        assertThat(listed("?sort=end&direction=asc")).containsExactly(id, first);
        assertThat(listed("?direction=asc&limit=1&page=2")).containsExactly(id);
        assertThat(listed("?search=nightly")).containsExactly(id);
        assertThat(listed("?search=" + first.substring(3, 12).toUpperCase()))
                .containsExactly(first);
        assertThat(listed("?search=nothing-like-it")).isEmpty();
        JsonPath all = expect(200, ask("GET", "/sandboxes?limit=1", null));
        assertThat(all.getLong("total")).isEqualTo(2);
        assertThat(all.getString("sandboxes[0].state")).isEqualTo("running");
        assertThat(all.getMap("sandboxes[0]")).doesNotContainKeys("accessToken", "trafficToken");
        for (String wrong : List.of("state=ended", "sort=x", "direction=up", "page=0", "limit=0")) {
            assertRefused(400, "invalid_parameter", ask("GET", "/sandboxes?" + wrong, null));
        }
        String reader = project.key("snapshots:read");
        assertRefused(
                403,
                "permission_missing",
                OwnProject.ask(reader, "GET", "/projects/" + project.id() + "/sandboxes", null));

        JsonPath longer = expect(200, ask("PATCH", path, Map.of("timeout", 1800)));
        assertThat(Instant.parse(longer.getString("endAt")))
                .isCloseTo(Instant.now().plusSeconds(1800), within(20, ChronoUnit.SECONDS));
        for (Object wrong :
                List.of(
                        Map.of(),
                        Map.of("timeout", 0),
                        Map.of("timeout", 10_000_000),
                        Map.of("timeout", 60, "idleTimeout", 60))) {
            assertRefused(400, "invalid_parameter", ask("PATCH", path, wrong));
        }

        assertThat(expect(200, ask("POST", path + "/pause", null)).getString("state"))
                .isEqualTo("paused");
        assertThat(listed("?state=paused")).containsExactly(id);
        assertThat(listed("?state=running")).containsExactly(first);
        assertThat(listed("?sort=end&direction=asc"))
                .as("it has no end")
                .containsExactly(first, id);
        assertThat(
                        expect(200, ask("GET", "/sandboxes?state=paused", null))
                                .<Object>get("sandboxes[0].endAt"))
                .isNull();
        assertRefused(409, "sandbox_not_running", ask("POST", path + "/pause", null));
        assertRefused(409, "sandbox_not_running", ask("PATCH", path, Map.of("timeout", 60)));
        assertThat(expect(200, ask("POST", path + "/resume", null)).getString("state"))
                .isEqualTo("running");
        assertRefused(409, "sandbox_busy", ask("POST", path + "/resume", null));

        String usage = "/usage?minutes=15&sandbox=" + first + "&sandbox=" + id + "&sandbox=none";
        JsonPath used =
                Eventually.await(
                        "metrics",
                        () -> expect(200, ask("GET", usage, null)),
                        each -> !each.getList("sandboxes").isEmpty());
        assertThat(used.getLong("step")).isEqualTo(15);
        assertThat(used.getLong("sandboxes[0].memTotal")).isPositive();
        assertThat(used.getList("sandboxes[0].points")).isNotEmpty();
        assertRefused(400, "invalid_parameter", ask("GET", "/usage?minutes=61", null));

        OwnProject other = OwnProject.make("absent");
        String foreign = "/projects/" + other.id() + "/usage?sandbox=" + first;
        assertThat(
                        expect(200, OwnProject.ask(other.everything(), "GET", foreign, null))
                                .getList("sandboxes"))
                .isEmpty();
        String user = project.key("sandboxes:use");
        assertRefused(
                403,
                "permission_missing",
                OwnProject.ask(user, "DELETE", "/projects/" + project.id() + path, null));
        assertThat(ask("DELETE", path, null).statusCode()).isEqualTo(204);
        assertRefused(404, "sandbox_not_found", ask("DELETE", path, null));
        assertThat(listed("")).containsExactly(first);
    }
}
