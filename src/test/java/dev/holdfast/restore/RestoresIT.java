package dev.holdfast.restore;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.encoded;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.e2b.E2bClient.Snapshot;
import dev.holdfast.run.SharedServer;
import dev.holdfast.runtime.Outside;
import dev.holdfast.storage.Disk;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a snapshot says of itself before a restore, what a restore may change, and what a clone is.
 */
class RestoresIT {

    private static final Duration LIFE = Duration.ofMinutes(5);
    private static final String NAME = "restores-it";

    private static E2bClient client;
    private static NativeClient api;
    private static Sandbox source;
    private static Snapshot snapshot;
    private static Outside outside;

    private final List<String> opened = new ArrayList<>();

    @BeforeAll
    static void capturesOne() {
        client = new E2bClient(SharedServer.api(), SharedServer.apiKey());
        api = new NativeClient();
        outside = Outside.bare("v" + ProcessHandle.current().pid() % 10_000);
        source =
                client.open(
                        Map.of(
                                "templateID",
                                "base",
                                "timeout",
                                LIFE.toSeconds(),
                                "idleTimeout",
                                3600,
                                "autoPause",
                                true,
                                "metadata",
                                Map.of("of", "source")));
        client.write(source, "/home/user/line.py", LINE);
        client.startInBackground(source, "exec python3 line.py " + outside.address());
        client.must(source, "until [ -s connected ]; do sleep 0.05; done");
        snapshot = client.snapshot(source, NAME);
    }

    /** Holds a connection to outside and writes down how it ends. */
    private static final String LINE =
            """
            import socket, sys, time
            line = socket.create_connection((sys.argv[1], 8000))
            line.sendall(b"x")
            with open("connected", "wb") as file:
                file.write(line.recv(1))
            try:
                ended = repr(line.recv(1))
            except OSError as error:
                ended = type(error).__name__
            with open("ended", "w") as file:
                file.write(ended)
            time.sleep(3600)
            """;

    @AfterEach
    void endsWhatItOpened() {
        opened.forEach(client::kill);
    }

    @AfterAll
    static void removesIt() {
        client.kill(source.id());
        client.deleteSnapshot(snapshot.id());
        outside.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "architecture = 'sparc'                     | incompatible_runtime | 409 |"
                        + " incompatible_runtime | architecture",
                "platform = 'gvisor kvm'                    | incompatible_runtime | 409 |"
                        + " incompatible_runtime | platform",
                "cpu_features = concat(cpu_features, ' zz')  | incompatible_runtime | 409 |"
                        + " incompatible_runtime | cpuFeatures",
                "agent_protocol = 99                        | incompatible_runtime | 409 |"
                        + " incompatible_runtime | agentProtocol",
                "state_format = 99                          | incompatible_runtime | 409 |"
                        + " incompatible_runtime | stateFormat",
                "parts_state = 'MISSING'                    | missing_part         | 409 |"
                        + " missing_part         |",
                "parts_state = 'CORRUPT'                    | corrupt_part         | 409 |"
                        + " corrupt_part         |"
            })
    @Tag("R70")
    @Tag("F12")
    @Tag("F17")
    @Tag("F18")
    void saysBeforehandWhyItCannotBeRestored(
            String fact, String verdict, int status, String reason, String what) throws Exception {
        String row = api.value("select row_to_json(s)::text from snapshot s where id = " + id());
        api.sql("update snapshot set " + fact + " where id = " + id());
        try {
            var said = api.snapshot(snapshot.id());
            assertThat(said.getBoolean("verdict.restorable")).isFalse();
            assertThat(said.getString("verdict.reason")).isEqualTo(verdict);
            assertThat(said.getString("verdict.differences[0].what")).isEqualTo(what);
            var dry = expect(200, api.dryRun(snapshot.id(), Map.of()));
            assertThat(dry.getBoolean("restorable")).isFalse();
            assertThat(dry.getString("reason")).isEqualTo(verdict);
            assertThat(dry.getString("detail")).isNotBlank();
            assertRefused(status, reason, create(Map.of()));
            assertRefused(status, reason, api.restore(snapshot.id(), Map.of()));
        } finally {
            api.sql(
                    "update snapshot s set (architecture, platform, cpu_features, agent_protocol,"
                            + " state_format, parts_state, expires_at) = (select architecture,"
                            + " platform, cpu_features, agent_protocol, state_format, parts_state,"
                            + " expires_at from json_populate_record(null::snapshot, $json$"
                            + row
                            + "$json$)) where id = "
                            + id());
        }
    }

    @Test
    @Tag("R138")
    @Tag("F12")
    void saysWhereItCanBeRestoredAndThatNoWorkerIsThere() throws Exception {
        var said = api.snapshot(snapshot.id());
        assertThat(said.getString("verdict.reason")).isEqualTo("restorable");
        assertThat(said.getList("verdict.workers", String.class)).containsExactly("worker-1");
        assertThat(said.getString("fingerprint.architecture")).isNotBlank();
        assertThat(said.getLong("storedBytes")).isPositive();

        var before = client.sandboxes();
        assertThat(expect(200, api.dryRun(snapshot.id(), Map.of())).getString("reason"))
                .isEqualTo("restorable");
        assertRefused(
                400,
                "invalid_parameter",
                api.post("/snapshots/" + snapshot.id() + "/restore?dryRun=1", Map.of()));
        api.sql("update worker set missing = 'it is tested'");
        try {
            assertThat(expect(200, api.dryRun(snapshot.id(), Map.of())).getString("reason"))
                    .isEqualTo("no_worker");
            assertRefused(503, "no_worker", create(Map.of()));
        } finally {
            api.sql("update worker set missing = ''");
        }
        assertThat(client.sandboxes()).as("a dry run changes nothing").isEqualTo(before);
    }

    /** Another runtime build is no difference, but one that is nowhere fails all the same. */
    @Test
    @Tag("F3")
    @Tag("F18")
    void turnsItsVerdictWhenARestoreFailsAndAgainWhenOneWorks() throws Exception {
        String build = api.value("select runtime_id from snapshot where id = " + id());
        api.sql("update snapshot set runtime_id = repeat('0', 64) where id = " + id());
        assertThat(verdict()).isEqualTo("restorable");
        assertRefused(500, "start_failed", create(Map.of()));
        var doubtful = api.snapshot(snapshot.id());
        assertThat(doubtful.getString("verdict.reason")).isEqualTo("restore_failed");
        assertThat(doubtful.getBoolean("verdict.restorable")).as("can be tried again").isTrue();
        assertThat(doubtful.getString("state")).isEqualTo("saved");

        api.sql("update snapshot set runtime_id = '" + build + "' where id = " + id());
        open(Map.of());
        // Written down when it runs, which may be a moment after its caller was told.
        Eventually.await("its verdict is turned", () -> verdict(), "restorable"::equals);
    }

    @Test
    @Tag("F3")
    @Tag("F18")
    @Tag("F21")
    void findsABadPartBeforeItIsUsedAndLeavesTheRest() throws Exception {
        var victim = client.snapshot(source);
        try {
            Path home = SharedServer.get().options().home();
            Disk.deleteTree(imageOf(home, victim.id()));
            Path part = largest(home.resolve("store/snapshots").resolve(victim.id()));
            byte[] manifest = Files.readAllBytes(part.resolveSibling("manifest.json"));
            try (var file = new RandomAccessFile(part.toFile(), "rw")) {
                file.seek(file.length() / 2);
                int old = file.read();
                file.seek(file.length() / 2);
                file.write(old ^ 1);
            }
            assertRefused(500, "start_failed", api.restore(victim.id(), Map.of()));

            var said = api.snapshot(victim.id());
            assertThat(said.getString("verdict.reason")).isEqualTo("corrupt_part");
            assertThat(said.getString("state")).isEqualTo("saved");
            assertThat(said.getList("occupants")).isEmpty();
            assertThat(Files.readAllBytes(part.resolveSibling("manifest.json")))
                    .isEqualTo(manifest);
            assertRefused(409, "corrupt_part", api.restore(victim.id(), Map.of()));
        } finally {
            assertThat(client.deleteSnapshot(victim.id())).as("F24").isTrue();
        }
    }

    @Test
    @Tag("R141")
    @Tag("R147")
    void takesEveryOverrideThatIsAllowed() {
        String chosen = "i" + Long.toHexString(System.nanoTime() | 1L << 62).repeat(2);
        chosen = chosen.substring(0, 21);
        var body = new LinkedHashMap<String, Object>();
        body.put("timeout", 100);
        body.put("idleTimeout", 90);
        body.put("secure", false);
        body.put("allow_internet_access", false);
        body.put("metadata", Map.of("of", "clone"));
        body.put("autoPause", true);
        body.put("autoResume", Map.of("enabled", true));
        body.put("network", Map.of("denyOut", List.of("192.0.2.0/24")));
        body.put("sandboxID", chosen);
        var made = open(body);

        assertThat(made.getString("sandboxID")).isEqualTo(chosen);
        assertThat(made.getString("envdAccessToken")).isNull();
        var info = client.info(chosen).orElseThrow();
        assertThat(info.getBoolean("allowInternetAccess")).isFalse();
        assertThat(info.getString("metadata.of")).isEqualTo("clone");
        assertThat(info.getString("lifecycle.onTimeout")).isEqualTo("pause");
        assertThat(info.getBoolean("lifecycle.autoResume")).isTrue();
        assertThat(info.getList("network.denyOut", String.class)).containsExactly("192.0.2.0/24");
        var seen = api.sandbox(chosen);
        assertThat(seen.getInt("timeout")).isEqualTo(100);
        assertThat(seen.getInt("idleTimeout")).isEqualTo(90);
        assertThat(seen.getString("snapshotId")).isEqualTo(snapshot.id());

        assertRefused(409, "sandbox_id_taken", create(Map.of("sandboxID", chosen)));
        assertThat(client.kill(chosen)).isTrue();
        assertRefused(409, "sandbox_id_taken", create(Map.of("sandboxID", chosen)));
        assertRefused(409, "sandbox_id_taken", fresh(Map.of("sandboxID", chosen)));
    }

    @Test
    @Tag("R147")
    void inheritsWhatIsNotOverriddenAndReportsWhatWasCut() {
        Response answer = api.restore(snapshot.id(), Map.of("metadata", Map.of(), "timeout", 60));
        var made = expect(201, answer);
        String id = made.getString("sandbox.id");
        opened.add(id);
        assertThat(answer.header("Location")).endsWith("/sandboxes/" + id);
        assertThat(made.getString("sandbox.metadata.of")).isEqualTo("source");
        assertThat(made.getInt("sandbox.idleTimeout")).isEqualTo(3600);
        assertThat(made.getString("sandbox.onTimeout")).isEqualTo("pause");
        assertThat(made.getBoolean("sandbox.secured")).isTrue();
        assertThat(made.getList("report.renewed", String.class)).contains("hostname", "machine");
        assertThat(made.getString("report.cut[0]")).contains("connections");
        assertThat(made.getList("report.shared")).isNotEmpty();
        assertThat(api.sandbox(id).getList("restore.renewed", String.class)).contains("random");
        assertThat(api.sandbox(source.id()).getString("restore")).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "envVars        | {\"envVars\":{\"A\":\"1\"}}",
                "volumeMounts   | {\"volumeMounts\":[{\"name\":\"v\",\"path\":\"/v\"}]}",
                "functionConfig | {\"functionConfig\":{\"a\":1}}",
                "build          | {\"build\":\"x\"}",
                "image          | {\"image\":\"x\"}",
                "metadata.fc.x  | {\"metadata\":{\"fc.x\":\"1\"}}",
                "               |"
                        + " {\"envVars\":{},\"volumeMounts\":[],\"functionConfig\":null,\"build\":\"\",\"image\":{},\"metadata\":{},\"sandboxID\":\"\"}"
            })
    @Tag("R148")
    @Tag("R149")
    @Tag("R150")
    @Tag("R151")
    @Tag("R152")
    @Tag("F14")
    void namesTheFieldThatMayNotBeOverridden(String field, String members) {
        Response dry = api.post("/snapshots/" + snapshot.id() + "/restore?dryRun=true", members);
        if (field == null) {
            assertThat(expect(200, dry).getBoolean("restorable")).as("empty is none").isTrue();
            return;
        }
        var e2b =
                post(
                        "/v2/sandboxes",
                        "{\"templateID\":\"" + snapshot.id() + "\"," + members.substring(1));
        for (Response answer : List.of(e2b, dry)) {
            assertRefused(400, "override_forbidden", answer);
            assertThat(answer.jsonPath().getString("field")).isEqualTo(field);
        }
    }

    @Test
    @Tag("R149")
    void saysOfAFreshSandboxWhichVolumeThereIsNot() {
        assertRefused(
                404,
                "volume_not_found",
                fresh(Map.of("volumeMounts", List.of(Map.of("name", "v", "path", "/v")))));
        for (var wrong : List.of("x", "i123", "I0123456789abcdefghij", "i0123456789abcdefghi-")) {
            assertRefused(400, "invalid_parameter", fresh(Map.of("sandboxID", wrong)));
        }
        assertRefused(400, "invalid_parameter", fresh(Map.of("idleTimeout", 100_000_000)));
    }

    @Test
    @Tag("R139")
    @Tag("R140")
    @Tag("R142")
    @Tag("R143")
    @Tag("R144")
    @Tag("R145")
    @Tag("R146")
    @Tag("R155")
    @Tag("R156")
    @Tag("R158")
    @Tag("R160")
    void resolvesReferencesAndNothingElse() throws Exception {
        String slug = api.slug();
        String qualified = slug + "/" + NAME;
        Map<String, String> refused = new LinkedHashMap<>();
        refused.put(slug + "/base", "404 snapshot_not_found");
        refused.put("other-team/" + NAME, "404 snapshot_not_found");
        refused.put(qualified + ":other", "404 snapshot_not_found");
        refused.put("/" + NAME, "400 malformed_reference");
        refused.put(slug + "/", "400 malformed_reference");
        refused.put(slug + "/a/b", "400 malformed_reference");
        refused.put(qualified + ":", "400 malformed_reference");
        refused.put(qualified + ":a:b", "400 malformed_reference");
        refused.put(slug + "%2F" + NAME, "404 template_not_found");
        refused.put(NAME, "404 template_not_found");
        refused.put("00000000-0000-4000-8000-000000000000", "404 template_not_found");
        refused.forEach(
                (reference, answer) ->
                        assertThat(said(post("/v2/sandboxes", order(reference))))
                                .as(reference)
                                .isEqualTo(answer));

        for (var reference : List.of(qualified, qualified + ":default", snapshot.id())) {
            String path = "/snapshots/" + encoded(reference);
            assertThat(expect(200, api.get(path)).getString("id")).isEqualTo(snapshot.id());
            assertThat(expect(200, api.dryRun(encoded(reference), Map.of())).getString("reason"))
                    .isEqualTo("restorable");
        }
        var made = expect(201, post("/v2/sandboxes", order(qualified.toUpperCase())));
        opened.add(made.getString("sandboxID"));
        for (var path : List.of("%252F", "%2F%2F", "%2f%3a")) {
            String twice = slug + path + NAME;
            assertThat(said(api.get("/snapshots/" + twice)))
                    .as(twice)
                    .isEqualTo("400 malformed_reference");
            assertThat(said(e2b().delete(SharedServer.api() + "/templates/" + twice)))
                    .as(twice)
                    .isEqualTo("400 malformed_reference");
        }
        assertThat(said(e2b().delete(SharedServer.api() + "/templates/" + NAME)))
                .isEqualTo("400 malformed_reference");
        assertThat(said(e2b().delete(SharedServer.api() + "/templates/" + slug + "%2Fnone%3Av1")))
                .isEqualTo("404 snapshot_not_found");
        assertThat(
                        said(
                                e2b().get(
                                                SharedServer.api()
                                                        + "/templates/aliases/"
                                                        + encoded(qualified + ":default"))))
                .isEqualTo("404 template_not_found");
    }

    @Test
    @Tag("R68")
    @Tag("R117")
    @Tag("R155")
    @Tag("F12")
    void saysOfWhatHasLeftWhetherItWasDeletedOrExpired() throws Exception {
        String name = api.slug() + "/gone-it";
        var gone = client.snapshot(source, "gone-it");
        expect(204, api.delete("/snapshots/" + encoded(name + ":default")));
        assertGone(gone.id(), name, "404 snapshot_deleted");
        assertThat(client.deleteSnapshot(name)).as("R158").isFalse();

        var old = client.snapshot(source, "gone-it");
        api.sql("update snapshot set expires_at = now() where id = '" + old.id() + "'");
        assertGone(old.id(), name, "404 snapshot_expired");
        await("its removal", () -> !saved(old.id()));
        assertGone(old.id(), name, "404 snapshot_expired");
    }

    private void assertGone(String id, String name, String answer) {
        for (var reference : List.of(id, name)) {
            assertThat(said(post("/v2/sandboxes", order(reference)))).isEqualTo(answer);
            assertThat(said(api.restore(encoded(reference), Map.of()))).isEqualTo(answer);
        }
    }

    private static boolean saved(String id) throws Exception {
        return "SAVED".equals(api.value("select state from snapshot where id = '" + id + "'"));
    }

    /** What is kept for a paused sandbox or for a fork is nobody's to name, in no dialect. */
    @Test
    @Tag("R144")
    @Tag("R156")
    @Tag("R165")
    @Tag("F19")
    void knowsNoStateThatNobodyAskedFor() throws Exception {
        var paused = client.create("base", LIFE);
        opened.add(paused.id());
        client.pause(paused);
        var state = api.value("select image_id from sandbox where id = '" + paused.id() + "'");
        var passing = client.snapshot(source).id();
        api.sql("update snapshot set kind = 'FORK' where id = '" + passing + "'");
        try {
            for (var id : List.of(state, passing)) {
                String path = "/snapshots/" + id;
                for (Response answer :
                        List.of(
                                api.get(path),
                                api.patch(path, Map.of("retentionSeconds", 60)),
                                api.restore(id, Map.of()),
                                api.dryRun(id, Map.of()),
                                api.delete(path))) {
                    assertRefused(404, "snapshot_not_found", answer);
                }
                assertThat(said(made(id, Map.of()))).isEqualTo("404 template_not_found");
                assertThat(said(e2b().delete(SharedServer.api() + "/templates/" + id)))
                        .isEqualTo("404 snapshot_not_found");
                assertThat(client.snapshots()).noneMatch(each -> each.id().equals(id));
                assertThat(expect(200, api.get("/snapshots")).getList("snapshots.id"))
                        .doesNotContain(id);
            }
        } finally {
            api.sql("update snapshot set kind = 'SNAPSHOT' where id = '" + passing + "'");
            client.deleteSnapshot(passing);
        }
        assertThat(client.must(client.resume(paused, LIFE), "echo on")).isEqualTo("on\n");
    }

    @Test
    @Tag("R83")
    void makesClonesThatAreNotEachOther() throws Exception {
        var one = open(Map.of());
        var two = open(Map.of());
        var clones = new ArrayList<Map<String, String>>();
        for (var made : List.of(one, two)) {
            var clone = new Sandbox(made.getString("sandboxID"), made.getString("envdAccessToken"));
            String seen = client.must(clone, LOOK);
            var facts = new LinkedHashMap<String, String>();
            seen.lines().forEach(line -> facts.put(line.split(" ")[0], line.split(" ", 2)[1]));
            assertThat(facts.get("host")).isEqualTo(clone.id());
            assertThat(Double.parseDouble(facts.remove("time")))
                    .isCloseTo(
                            Instant.now().toEpochMilli() / 1000.0,
                            org.assertj.core.data.Offset.offset(2.0));
            assertThat(facts.remove("ended"))
                    .isIn("ConnectionResetError", "ConnectionAbortedError");
            facts.put("id", clone.id());
            facts.put("token", clone.token());
            clones.add(facts);
        }
        assertThat(clones.get(0).keySet())
                .contains("host", "machine", "urandom", "random", "id", "token");
        clones.get(0)
                .forEach(
                        (what, value) ->
                                assertThat(clones.get(1).get(what)).as(what).isNotEqualTo(value));
    }

    private static final String LOOK =
            """
            echo host $(hostname)
            echo machine $(cat /etc/machine-id)
            echo urandom $(head -c 16 /dev/urandom | base64)
            echo random $(python3 -c 'import random; print(random.random())')
            echo time $(date +%s.%N)
            for i in $(seq 50); do [ -s ended ] && break; sleep 0.1; done
            echo ended $(cat ended)
            """;

    private static String id() {
        return "'" + snapshot.id() + "'";
    }

    private static String verdict() {
        return api.snapshot(snapshot.id()).getString("verdict.reason");
    }

    private JsonPath open(Map<String, ?> overrides) {
        var made = expect(201, create(overrides));
        opened.add(made.getString("sandboxID"));
        return made;
    }

    private static Response create(Map<String, ?> overrides) {
        return made(snapshot.id(), overrides);
    }

    private static Response fresh(Map<String, ?> members) {
        return made("base", members);
    }

    private static Response made(String origin, Map<String, ?> members) {
        var body = new LinkedHashMap<String, Object>(members);
        body.put("templateID", origin);
        return post("/v2/sandboxes", body);
    }

    private static Map<String, ?> order(String reference) {
        return Map.of("templateID", reference, "timeout", 60);
    }

    private static Response post(String path, Object body) {
        return e2b().contentType("application/json")
                .body(NativeClient.json(body))
                .post(SharedServer.api() + path);
    }

    private static io.restassured.specification.RequestSpecification e2b() {
        return given().urlEncodingEnabled(false).header("X-API-Key", SharedServer.apiKey());
    }

    private static String said(Response answer) {
        return answer.statusCode() + " " + answer.jsonPath().getString("reason");
    }

    static Path imageOf(Path home, String id) throws IOException {
        try (var found = Files.find(home, 6, (path, is) -> path.endsWith("images/" + id))) {
            return found.findFirst().orElseThrow();
        }
    }

    static Path largest(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
        }
    }
}
