package dev.holdfast.workbench;

import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.OtherProject;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions over the native API, in a project of its own. */
class WorkbenchIT {

    private static final String TEMPLATE = "code-interpreter-v1";
    private static final String PYTHON = "/contexts/python";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static NativeClient api;
    private static E2bClient client;
    private static String key;
    private static String session;

    @BeforeAll
    static void opensASession() throws Exception {
        key =
                OtherProject.key(
                        SharedServer.api(),
                        SharedServer.apiKey(),
                        SharedServer.get().databaseUrl());
        api = new NativeClient(key);
        client = new E2bClient(SharedServer.api(), key);
        JsonPath opened =
                expect(
                        201,
                        api.post("/sessions", Map.of("template", TEMPLATE, "profile", "offline")));
        session = opened.getString("id");
        assertThat(opened.getString("state")).isEqualTo("running");
        assertThat(opened.getString("profile")).isEqualTo("offline");
        assertThat(opened.getBoolean("internet")).isFalse();
        assertThat(opened.getLong("timeout")).isEqualTo(3600);
    }

    @AfterAll
    static void leavesNothing() {
        client.sandboxes().forEach(client::kill);
        client.snapshots().forEach(each -> client.deleteSnapshot(each.id()));
    }

    /** What was said, line by line, with the moment in which it came. */
    private record Said(long at, JsonPath line) {
        String type() {
            return line.getString("type");
        }
    }

    private static String path(String id, String rest) {
        return "/sessions/" + id + rest;
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                        URI.create(SharedServer.api() + "/api/v1/projects/" + api.project() + path))
                .header("X-API-Key", key)
                .timeout(Duration.ofSeconds(60));
    }

    private static List<Said> run(String id, String code) throws Exception {
        var answer =
                HTTP.send(
                        request(path(id, PYTHON + "/executions"))
                                .header("Content-Type", "application/json")
                                .POST(
                                        BodyPublishers.ofString(
                                                NativeClient.json(Map.of("code", code))))
                                .build(),
                        BodyHandlers.ofLines());
        var said = new ArrayList<Said>();
        answer.body().forEach(line -> said.add(new Said(System.nanoTime(), new JsonPath(line))));
        assertThat(answer.statusCode()).as(said.toString()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/x-ndjson");
        return said;
    }

    private static List<String> types(List<Said> said) {
        return said.stream().map(Said::type).filter(type -> !type.equals("alive")).toList();
    }

    private static String output(List<Said> said) {
        return said.stream()
                .filter(each -> each.type().equals("output"))
                .map(each -> each.line().getString("text"))
                .collect(Collectors.joining());
    }

    private static String value(List<Said> said) {
        return said.stream()
                .filter(each -> each.type().equals("result"))
                .map(each -> each.line().getString("formats.text"))
                .findFirst()
                .orElse("none: " + types(said));
    }

    @Test
    @Tag("R11")
    void runsCodeAndTellsItAsItHappens() throws Exception {
        var said =
                run(
                        session,
                        """
                        import time
                        print('first')
                        time.sleep(1)
                        print('second')
                        answer = 6 * 7
                        answer
                        """);

        assertThat(types(said)).startsWith("accepted", "started").endsWith("result", "end");
        assertThat(output(said)).isEqualTo("first\nsecond\n");
        assertThat(value(said)).isEqualTo("42");
        var outputs = said.stream().filter(each -> each.type().equals("output")).toList();
        assertThat(outputs.get(outputs.size() - 1).at() - outputs.get(0).at())
                .as("told when it is said, not at the end")
                .isGreaterThan(Duration.ofMillis(500).toNanos());

        var names = expect(200, api.get(path(session, PYTHON + "/variables")));
        assertThat(names.getString("variables.find { it.name == 'answer' }.type")).isEqualTo("int");
        assertThat(names.getString("variables.find { it.name == 'answer' }.value")).isEqualTo("42");
        var found =
                expect(
                        200,
                        api.post(
                                path(session, PYTHON + "/completions"),
                                Map.of("code", "x = answ", "cursor", 8)));
        assertThat(found.getList("matches", String.class)).contains("answer");
        assertThat(found.getInt("from")).isEqualTo(4);

        var failed = run(session, "def divide(x):\n    return 1 / x\n\ndivide(0)");
        assertThat(types(failed)).endsWith("error", "end");
        var error = failed.get(failed.size() - 2).line();
        assertThat(error.getString("name")).isEqualTo("ZeroDivisionError");
        assertThat(error.getString("traceback")).contains("divide");
    }

    @Test
    void interruptsAndBeginsAnew() throws Exception {
        var made = expect(201, api.post(path(session, "/contexts"), Map.of("language", "python")));
        var own = path(session, "/contexts/" + made.getString("id"));
        HTTP.send(execution(own, "kept = 1"), BodyHandlers.ofString());
        var endless = HTTP.sendAsync(execution(own, "while True: pass"), BodyHandlers.ofString());
        Eventually.await(
                "it runs",
                () -> expect(200, api.get(path(session, "/contexts"))),
                all ->
                        all.getBoolean(
                                "contexts.find { it.id == '%s' }.busy"
                                        .formatted(made.getString("id"))));
        Thread.sleep(300);

        expect(204, api.post(own + "/interrupt", "{}"));

        assertThat(endless.get().body()).contains("KeyboardInterrupt").contains("\"end\"");
        assertThat(variables(own)).contains("kept");
        expect(204, api.post(own + "/restart", "{}"));
        assertThat(variables(own)).doesNotContain("kept");
        expect(204, api.delete(own));
        assertRefused(404, "context_not_found", api.get(own + "/variables"));
        assertRefused(404, "context_not_found", api.get(path(session, "/contexts/a.b/variables")));
    }

    private static HttpRequest execution(String context, String code) {
        return request(context + "/executions")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(NativeClient.json(Map.of("code", code))))
                .build();
    }

    private static List<String> variables(String context) {
        return expect(200, api.get(context + "/variables")).getList("variables.name");
    }

    @Test
    void boundsWhatHostileCodeSaysAndGoesOn() throws Exception {
        var said = run(session, "for _ in range(12): print('x' * 1024 * 1024)");

        assertThat(output(said)).hasSize(4 * 1024 * 1024);
        assertThat(types(said)).containsOnlyOnce("cut").endsWith("end");

        var odd =
                run(session, "import sys\nprint('\\x00\\ud83d\\ude00\\x1b[31m', file=sys.stderr)");
        assertThat(types(odd)).endsWith("end");
        assertThat(value(run(session, "6 * 7"))).isEqualTo("42");
        assertRefused(
                400,
                "invalid_parameter",
                api.post(path(session, PYTHON + "/executions"), Map.of()));
        assertRefused(
                400,
                "invalid_parameter",
                api.post(
                        path(session, PYTHON + "/completions"),
                        Map.of("code", "x", "cursor", 1000)));
    }

    /** Whoever leaves does not end the code, nor stop it by not reading. */
    @Test
    void letsCodeRunOnWhenItsReaderLeaves() throws Exception {
        var leaves =
                HTTP.send(
                        request(path(session, PYTHON + "/executions"))
                                .header("Content-Type", "application/json")
                                .POST(
                                        BodyPublishers.ofString(
                                                NativeClient.json(
                                                        Map.of(
                                                                "code",
                                                                "import time\n"
                                                                        + "for _ in range(20):\n"
                                                                        + "    print('y' * 100000)\n"
                                                                        + "    time.sleep(0.05)\n"
                                                                        + "ran_on = True"))))
                                .build(),
                        BodyHandlers.ofInputStream());
        leaves.body().readNBytes(1000);
        leaves.body().close();

        Eventually.await(
                "it has run to its end",
                () -> variables(path(session, PYTHON)),
                names -> names.contains("ran_on"));
    }

    @Test
    void handsFilesInAndOutAndRendersNone() throws Exception {
        byte[] content = "<script>alert(1)</script>".repeat(20_000).getBytes();
        var written =
                HTTP.send(
                        request(path(session, "/files?path=/home/user/made/page.html"))
                                .header("Content-Type", "application/octet-stream")
                                .POST(BodyPublishers.ofByteArray(content))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(written.statusCode()).as(written.body()).isEqualTo(204);

        var listed = expect(200, api.get(path(session, "/files?path=/home/user/made")));
        assertThat(listed.getList("files.name")).containsExactly("page.html");
        assertThat(listed.getLong("files[0].size")).isEqualTo(content.length);
        var read =
                HTTP.send(
                        request(path(session, "/files/content?path=/home/user/made/page.html"))
                                .GET()
                                .build(),
                        BodyHandlers.ofByteArray());
        assertThat(read.body()).isEqualTo(content);
        assertThat(read.headers().firstValue("Content-Disposition").orElse(""))
                .startsWith("attachment");
        assertThat(read.headers().firstValue("X-Content-Type-Options")).contains("nosniff");

        expect(200, put("/files/directory?path=/home/user/made/more"));
        var page = expect(200, api.get(path(session, "/files?path=/home/user/made&limit=1")));
        assertThat(page.getList("files.name")).containsExactly("more");
        assertThat(page.getString("next")).isEqualTo("more");
        assertThat(
                        expect(
                                        200,
                                        api.get(
                                                path(
                                                        session,
                                                        "/files?path=/home/user/made&after=more")))
                                .getList("files.name"))
                .containsExactly("page.html");
        assertThat(
                        expect(
                                        200,
                                        api.get(
                                                path(
                                                        session,
                                                        "/files?path=/home/user/made&limit=1000")))
                                .getList("files"))
                .hasSize(2);
        assertRefused(
                400,
                "invalid_parameter",
                api.get(path(session, "/files?path=/home/user/made&limit=1001")));
        expect(204, api.delete(path(session, "/files?path=/home/user/made")));
        assertRefused(
                404,
                "file_not_found",
                api.get(path(session, "/files/content?path=/home/user/made/page.html")));
        assertRefused(400, "invalid_parameter", api.get(path(session, "/files?path=made")));
        assertRefused(
                409, "file_not_readable", api.get(path(session, "/files/content?path=/home")));
        assertThat(expect(200, api.get(path(session, "/processes"))).getList("processes"))
                .isNotNull();
        assertRefused(404, "process_not_found", api.delete(path(session, "/processes/999999")));
        assertRefused(400, "invalid_parameter", api.delete(path(session, "/processes/0")));
    }

    private static Response put(String rest) {
        return given().header("X-API-Key", key)
                .contentType("application/json")
                .put(
                        SharedServer.api()
                                + "/api/v1/projects/"
                                + api.project()
                                + path(session, rest));
    }

    @Test
    void isOpenInOneTabAndToldToAnother() {
        var one = UUID.randomUUID().toString();
        var other = UUID.randomUUID().toString();

        assertThat(expect(200, hold(Map.of("tab", one))).getString("heldBy")).startsWith("key:");
        expect(200, hold(Map.of("tab", one)));
        assertRefused(409, "session_elsewhere", hold(Map.of("tab", other)));
        expect(200, hold(Map.of("tab", other, "take", true)));
        assertRefused(409, "session_elsewhere", hold(Map.of("tab", one)));
        expect(204, api.delete(path(session, "/tab?tab=" + other)));
        expect(200, hold(Map.of("tab", one)));
        assertRefused(400, "invalid_parameter", hold(Map.of("tab", "mine")));
        assertThat(expect(200, api.get("/sessions")).getList("sessions.id")).contains(session);
    }

    private static Response hold(Map<String, ?> body) {
        return given().header("X-API-Key", key)
                .contentType("application/json")
                .body(NativeClient.json(body))
                .put(
                        SharedServer.api()
                                + "/api/v1/projects/"
                                + api.project()
                                + path(session, "/tab"));
    }

    /** The worked check, by the calls that the page makes. */
    @Test
    @Tag("R60a")
    @Tag("R3")
    @Tag("R4")
    @Tag("R39")
    @Tag("R68")
    @Tag("R69")
    void savesAndLoadsASessionAndRefusesWhatIsGone() throws Exception {
        run(session, "total = 42\ndef half():\n    return total / 2");
        var saved = expect(201, api.post("/sandboxes/" + session + "/snapshots", Map.of()));
        var snapshot = saved.getString("id");
        run(session, "total = 1");

        var accepted =
                api.postPreferring(
                        "respond-async",
                        "/sessions",
                        Map.of("snapshot", snapshot, "profile", "long"));
        assertThat(accepted.statusCode()).as(accepted.asString()).isEqualTo(202);
        var loaded = accepted.jsonPath().getString("id");
        var running =
                Eventually.await(
                        "it runs",
                        () -> expect(200, api.get(path(loaded, ""))),
                        each -> each.getString("state").equals("running"));
        assertThat(running.getString("snapshotId")).isEqualTo(snapshot);
        assertThat(running.getString("profile")).isEqualTo("long");
        assertThat(Instant.parse(running.getString("endAt")))
                .isAfter(Instant.now().plus(Duration.ofHours(7)));
        assertThat(value(run(loaded, "total"))).isEqualTo("42");
        assertThat(value(run(loaded, "half()"))).isEqualTo("21.0");
        assertThat(value(run(session, "total"))).as("the other goes on").isEqualTo("1");
        expect(200, api.post(path(loaded, "/extend"), "{}"));

        expect(204, api.delete(path(loaded, "")));
        var ended = expect(200, api.get(path(loaded, "")));
        assertThat(ended.getString("state")).isEqualTo("ended");
        assertThat(ended.getString("endReason")).isEqualTo("killed");
        assertRefused(404, "sandbox_not_found", api.get(path(loaded, PYTHON + "/variables")));
        assertThat(client.deleteSnapshot(snapshot)).isTrue();
        assertRefused(404, "snapshot_deleted", api.post("/sessions", Map.of("snapshot", snapshot)));
        assertRefused(
                404,
                "snapshot_not_found",
                api.post("/sessions", Map.of("snapshot", UUID.randomUUID().toString())));
        assertRefused(400, "invalid_parameter", api.post("/sessions", Map.of()));
        assertRefused(
                400,
                "invalid_parameter",
                api.post("/sessions", Map.of("template", TEMPLATE, "profile", "fast")));
    }

    @Test
    @Tag("R43")
    @Tag("R73")
    void mountsVolumesThatALoadFindsAsTheyAreThen() throws Exception {
        var volume = "workbench-" + UUID.randomUUID().toString().substring(0, 8);
        var id =
                expect(201, api.post("/volumes", Map.of("name", volume, "limitBytes", 16 << 20)))
                        .getString("id");
        var mounts = List.of(Map.of("name", volume, "path", "/mnt/shared"));
        var opened =
                expect(
                        201,
                        api.post(
                                "/sessions", Map.of("template", TEMPLATE, "volumeMounts", mounts)));
        var writing = opened.getString("id");
        assertThat(opened.getList("mounts"))
                .isEqualTo(List.of(Map.of("volumeId", id, "name", volume, "path", "/mnt/shared")));
        run(writing, "print(1, end='', file=open('/mnt/shared/step', 'w'), flush=True)");
        var snapshot =
                expect(201, api.post("/sandboxes/" + writing + "/snapshots", Map.of()))
                        .getString("id");
        run(writing, "print(2, end='', file=open('/mnt/shared/step', 'w'), flush=True)");

        var loaded = expect(201, api.post("/sessions", Map.of("snapshot", snapshot)));
        assertThat(loaded.getList("mounts")).isEqualTo(opened.getList("mounts"));
        assertThat(value(run(loaded.getString("id"), "open('/mnt/shared/step').read()")))
                .isEqualTo("2");

        assertRefused(
                400,
                "override_forbidden",
                api.post("/sessions", Map.of("snapshot", snapshot, "volumeMounts", mounts)));
        assertRefused(
                404,
                "volume_not_found",
                api.post(
                        "/sessions",
                        Map.of(
                                "template",
                                TEMPLATE,
                                "volumeMounts",
                                List.of(Map.of("name", "nowhere", "path", "/mnt/x")))));
        for (var wrong : List.of(Map.of("name", volume), Map.of("name", volume, "path", "/etc"))) {
            assertRefused(
                    400,
                    "invalid_parameter",
                    api.post(
                            "/sessions",
                            Map.of("template", TEMPLATE, "volumeMounts", List.of(wrong))));
        }
        assertRefused(409, "volume_in_use", api.delete("/volumes/" + volume));
        for (var each : List.of(writing, loaded.getString("id"))) {
            expect(204, api.delete(path(each, "")));
        }
        Eventually.await(
                "nothing mounts it",
                () -> api.delete("/volumes/" + volume).statusCode(),
                status -> status == 204);
        assertThat(client.deleteSnapshot(snapshot)).isTrue();
    }

    @Test
    @Tag("R7")
    void isNotThereForAnotherProject() {
        var other = new NativeClient();
        for (var rest : List.of("", "/contexts", PYTHON + "/variables", "/processes")) {
            assertRefused(404, "sandbox_not_found", other.get(path(session, rest)));
        }
        assertRefused(404, "sandbox_not_found", other.get(path(session, "/files?path=/home/user")));
        assertRefused(
                404,
                "sandbox_not_found",
                other.post(path(session, PYTHON + "/executions"), Map.of("code", "1")));
        assertRefused(404, "sandbox_not_found", other.delete(path(session, "")));
        assertThat(expect(200, other.get("/sessions")).getList("sessions.id"))
                .doesNotContain(session);
    }
}
