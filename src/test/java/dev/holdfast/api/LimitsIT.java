package dev.holdfast.api;

import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long the sandboxes of a project may live, and how many of them at once. */
class LimitsIT {

    private static final int LONGEST = 600;
    private static final int PLACES = 3;

    private final OwnProject project = OwnProject.make("limits");
    private final String key = project.everything();
    private final NativeClient api = new NativeClient(key);
    private final E2bClient client = OwnProject.client(key);

    @AfterEach
    void leavesNothing() {
        client.sandboxes().forEach(client::kill);
        client.snapshots().forEach(each -> client.deleteSnapshot(each.id()));
    }

    /** In both dialects, whatever gives a sandbox its end. */
    @Test
    @Tag("R60")
    void refusesALifetimeThatIsLongerThanTheServiceLimit() throws Exception {
        change(Map.of("serviceLimit", Map.of("longestLifetimeSeconds", LONGEST)));
        var sandbox = client.create("base", Duration.ofSeconds(LONGEST));
        var snapshot = client.snapshot(sandbox).id();
        var end = end(sandbox);
        var longer = Map.of("timeout", LONGEST + 1);

        for (var each :
                List.of(
                        create("base", longer),
                        create(snapshot, longer),
                        client.ask(sandbox.id(), "connect", longer),
                        client.ask(sandbox.id(), "timeout", longer))) {
            assertTooLong(each.join(), LONGEST);
        }
        var asProgram = "/sandboxes/" + sandbox.id();
        assertTooLong("timeout", api.restore(snapshot, longer));
        assertTooLong("timeout", api.patch(asProgram, longer));
        var idle = Map.of("idleTimeout", LONGEST + 1);
        assertTooLong("idleTimeout", api.restore(snapshot, idle));
        assertTooLong("idleTimeout", api.patch(asProgram, idle));
        assertThat(client.sandboxes()).as("none is made").containsExactly(sandbox.id());
        assertThat(end(sandbox)).as("and none lives longer").isEqualTo(end);

        var longest = Map.of("timeout", LONGEST);
        assertThat(client.ask(sandbox.id(), "timeout", longest).join().statusCode()).isEqualTo(204);
        expect(200, api.patch(asProgram, longest));
    }

    /** A service limit stands in its place, also one above it. */
    @Test
    @Tag("R58")
    @Tag("R60")
    void refusesALifetimeThatIsLongerThanThePlanWhereThereIsNoServiceLimit() {
        change(Map.of("plan", Map.of("longestLifetimeSeconds", LONGEST)));
        assertTooLong(create("base", Map.of("timeout", LONGEST + 1)).join(), LONGEST);

        change(Map.of("serviceLimit", Map.of("longestLifetimeSeconds", LONGEST + 1)));
        assertTooLong(create("base", Map.of("timeout", LONGEST + 2)).join(), LONGEST + 1);
        var sandbox = client.create("base", Duration.ofSeconds(LONGEST + 1));
        assertThat(client.sandboxes()).containsExactly(sandbox.id());
    }

    @Test
    @Tag("R60")
    void admitsExactlyAsManySandboxesAtOnceAsThereArePlaces() {
        change(Map.of("serviceLimit", Map.of("liveSandboxes", PLACES)));

        var answers =
                IntStream.rangeClosed(0, PLACES)
                        .mapToObj(i -> create("base", Map.of("timeout", LONGEST)))
                        .toList()
                        .stream()
                        .map(CompletableFuture::join)
                        .toList();

        assertThat(answers).filteredOn(each -> each.statusCode() == 201).hasSize(PLACES);
        var refused = answers.stream().filter(each -> each.statusCode() != 201).toList();
        assertThat(refused).hasSize(1);
        assertThat(refused.get(0).statusCode()).isEqualTo(403);
        var told = new JsonPath(refused.get(0).body());
        assertThat(told.getString("reason")).isEqualTo("quota_count_exceeded");
        assertThat(told.getInt("limit")).isEqualTo(PLACES);
        assertThat(told.getInt("used")).isEqualTo(PLACES);
        assertThat(client.sandboxes()).hasSize(PLACES);
        assertThat(client.kill(client.sandboxes().get(0))).isTrue();
        client.create("base", Duration.ofSeconds(LONGEST));
    }

    private void change(Map<String, ?> terms) {
        expect(200, OwnProject.service("PATCH", "/admin/projects/" + project.id(), terms));
    }

    private CompletableFuture<HttpResponse<String>> create(String template, Map<String, ?> more) {
        var body = new HashMap<String, Object>(more);
        body.put("templateID", template);
        return client.askToOpen(body, UUID.randomUUID().toString());
    }

    private String end(E2bClient.Sandbox sandbox) {
        return client.info(sandbox.id()).orElseThrow().getString("endAt");
    }

    private static void assertTooLong(HttpResponse<String> answer, int longest) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        var told = new JsonPath(answer.body());
        assertThat(told.getString("reason")).isEqualTo("invalid_parameter");
        assertThat(told.getString("message"))
                .isEqualTo("Timeout cannot be greater than " + longest + " seconds.");
    }

    private static void assertTooLong(String parameter, Response answer) {
        assertRefused(400, "invalid_parameter", answer);
        assertThat(answer.jsonPath().getString("parameter")).isEqualTo(parameter);
        assertThat(answer.jsonPath().getString("detail")).contains(LONGEST + "");
    }
}
