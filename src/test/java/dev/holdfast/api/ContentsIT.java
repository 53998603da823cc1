package dev.holdfast.api;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.encoded;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.run.SharedServer;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What is in a snapshot and what differs between two, without a restore for use. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ContentsIT {

    /** Lays a tree of which the other program then changes exactly 500 entries. */
    private static final String BEFORE =
            """
            import os
            os.mkdir('t'); os.chdir('t')
            def put(name, text):
                with open(name, 'w') as file: file.write(text)
            for i in range(80):
                for group in ('gone', 'mode', 'touched'): put('%s%d' % (group, i), group * (i + 1))
            for i in range(60):
                for group in ('longer', 'hidden'): put('%s%d' % (group, i), group * (i + 1))
                os.symlink('gone%d' % i, 'link%d' % i)
            for i in range(40): put('type%d' % i, 'file')
            with open('../plain.bin', 'wb') as file: file.write(bytes(range(256)) * 4096)
            os.mkfifo('../pipe')
            """;

    private static final String AFTER =
            """
            import os, time
            os.chdir('t')
            def put(name, text):
                with open(name, 'w') as file: file.write(text)
            for i in range(80):
                os.unlink('gone%d' % i)
                os.chmod('mode%d' % i, 0o600)
                os.utime('touched%d' % i)
            for i in range(60):
                with open('longer%d' % i, 'a') as file: file.write('+')
                name = 'hidden%d' % i
                times = os.stat(name)
                put(name, 'HIDDEN' * (i + 1))
                os.utime(name, ns=(times.st_atime_ns, times.st_mtime_ns))
                os.unlink('link%d' % i); os.symlink('mode%d' % i, 'link%d' % i)
            for i in range(40):
                os.unlink('type%d' % i); os.mkdir('type%d' % i)
            for i in range(99): put('new%d' % i, 'new')
            for i in range(20):
                with open(b'odd\\xff\\n%d' % i, 'w') as file: file.write('odd')
            """;

    /** Keeps what it wrote open and unsynced for as long as it lives. */
    private static final String HOLDER =
            """
            import time
            file = open('t/held.bin', 'wb', buffering=0)
            file.write(bytes(reversed(range(256))) * 4096)
            open('holds', 'w').close()
            time.sleep(3600)
            """;

    private static OwnProject project;
    private static NativeClient api;
    private static E2bClient client;
    private static String key;
    private static String old;
    private static String now;

    @BeforeAll
    static void savesTwo() {
        project = OwnProject.make("contents");
        key = project.everything();
        api = new NativeClient(key);
        client = OwnProject.client(key);
        Sandbox source = client.create("base", Duration.ofMinutes(5));
        client.write(source, "/home/user/before.py", BEFORE);
        client.write(source, "/home/user/after.py", AFTER);
        client.write(source, "/home/user/holder.py", HOLDER);
        client.must(source, "touch holds; python3 before.py");
        old = client.snapshot(source).id();
        client.must(source, "python3 after.py; rm holds");
        client.startInBackground(source, "NEW_SECRET=hush exec python3 holder.py");
        client.must(source, "until [ -e holds ]; do sleep 0.05; done");
        now = client.snapshot(source).id();
        client.kill(source.id());
    }

    @AfterAll
    static void removesBoth() {
        client.deleteSnapshot(old);
        client.deleteSnapshot(now);
    }

    @Test
    @Order(1)
    @Tag("R7")
    @Tag("R8")
    void showsWhatIsInASnapshotWithoutASandboxThatAnybodySees() throws Exception {
        var home = expect(200, api.get(files(old, "") + "?path=/home/user"));
        assertThat(home.getString("file.type")).isEqualTo("directory");
        assertThat(home.getList("entries.path", String.class))
                .contains("/home/user/plain.bin", "/home/user/t", "/home/user/pipe");
        var names = new ArrayList<String>();
        String after = "";
        do {
            var page =
                    expect(
                            200,
                            api.get(files(now, "") + "?path=/home/user/t&limit=90&after=" + after));
            names.addAll(page.getList("entries.path", String.class));
            after = page.getString("next");
        } while (after != null);
        assertThat(names).hasSize(80 * 2 + 60 * 3 + 40 + 99 + 20 + 1).doesNotHaveDuplicates();

        assertThat(client.sandboxes()).isEmpty();
        assertThat(
                        api.value(
                                "select count(*) from sandbox where state not in ('ENDED')"
                                        + " and project_id = '"
                                        + project.id()
                                        + "'"))
                .isEqualTo("0");
        assertThat(api.value(looks(old))).as("once, not for every listing").isEqualTo("1");
        assertThat(api.value(looks(now))).isEqualTo("1");

        String reader = project.key("snapshots:read");
        assertRefused(403, "permission_missing", asked(reader, files(old, "?path=/")));
        assertThat(
                        given().header("X-API-Key", reader)
                                .get(address(files(old, "")))
                                .jsonPath()
                                .getString("permission"))
                .isEqualTo("sandboxes:use");
    }

    @Test
    @Order(2)
    @Tag("R76")
    void readsFilesAsTheyWereAlsoThoseThatAProcessHolds() throws Exception {
        byte[] plain = new byte[1 << 20];
        byte[] held = new byte[1 << 20];
        for (int i = 0; i < plain.length; i++) {
            plain[i] = (byte) i;
            held[i] = (byte) (255 - i);
        }
        Response whole = content(old, "/home/user/plain.bin");
        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(whole.header("Content-Length")).isEqualTo(String.valueOf(plain.length));
        assertThat(whole.asByteArray()).isEqualTo(plain);
        assertThat(content(now, "/home/user/t/held.bin").asByteArray()).isEqualTo(held);

        Response part =
                given().header("X-API-Key", key)
                        .header("Range", "bytes=-300")
                        .get(address(files(old, "/content?path=/home/user/plain.bin")));
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.header("Content-Range"))
                .isEqualTo("bytes " + (plain.length - 300) + "-1048575/1048576");
        assertThat(part.asByteArray()).hasSize(300).endsWith(plain[plain.length - 1]);
        Response none =
                given().header("X-API-Key", key)
                        .header("Range", "bytes=2000000-")
                        .get(address(files(old, "/content?path=/home/user/plain.bin")));
        assertRefused(416, "range_not_satisfiable", none);
        assertThat(none.header("Content-Range")).isEqualTo("bytes */1048576");
        Response changed =
                given().header("X-API-Key", key)
                        .header("Range", "bytes=0-9")
                        .header("If-Range", "\"another\"")
                        .get(address(files(old, "/content?path=/home/user/plain.bin")));
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(changed.asByteArray()).isEqualTo(plain);
        Response same =
                given().header("X-API-Key", key)
                        .header("Range", "bytes=0-9")
                        .header("If-Range", changed.header("ETag"))
                        .get(address(files(old, "/content?path=/home/user/plain.bin")));
        assertThat(same.statusCode()).isEqualTo(206);
        assertThat(same.asByteArray()).hasSize(10);

        String odd =
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString("/home/user/t/odd\u00ff\n7".getBytes("ISO-8859-1"));
        assertThat(api.get(files(now, "/content?pathBytes=" + odd)).asString()).isEqualTo("odd");

        assertRefused(404, "file_not_found", content(old, "/home/user/t/new1"));
        for (String wrong :
                List.of("/home/user", "/home/user/pipe", "/proc/version", "/dev/zero")) {
            assertRefused(409, "file_not_readable", content(old, wrong));
        }
        assertRefused(400, "invalid_parameter", content(old, "home"));

        Path tar = Files.createTempFile("contents", ".tar");
        Response packed = api.get(files(now, "/archive?path=/home/user/t"));
        assertThat(packed.statusCode()).isEqualTo(200);
        Files.write(tar, packed.asByteArray());
        Process list = new ProcessBuilder("tar", "tf", tar.toString()).start();
        assertThat(new String(list.getInputStream().readAllBytes()).lines())
                .hasSize(1 + 80 * 2 + 60 * 3 + 40 + 99 + 20 + 1)
                .contains("t/held.bin");
        Files.delete(tar);
    }

    @Test
    @Order(3)
    @Tag("R77")
    void comparesTwoToExactlyWhatWasChanged() throws Exception {
        var asked = post(key, Map.of("since", old), "respond-async");
        String id = expect(202, asked).getString("id");
        assertThat(api.delete(comparisons(now, "/" + id)).statusCode()).isEqualTo(204);
        assertThat(expect(200, api.get(comparisons(now, "/" + id))).getString("state"))
                .isIn("cancelled", "running");
        assertRefused(400, "invalid_parameter", post(key, Map.of("since", now), null));
        assertRefused(400, "invalid_parameter", post(key, Map.of(), null));

        var done = expect(200, post(key, Map.of("since", old), null));
        assertThat(done.getString("state")).isEqualTo("done");
        assertThat(done.getString("id")).isNotEqualTo(id);
        assertThat(done.getLong("entries")).isGreaterThan(2000);
        assertThat(expect(200, post(key, Map.of("since", old), null)).getString("id"))
                .as("it is kept")
                .isEqualTo(done.getString("id"));

        var found = changes(done.getString("id"));
        assertThat(found).isEqualTo(expected());
        assertThat(done.getLong("summary.added.entries")).isEqualTo(99 + 20 + 1);
        assertThat(done.getLong("summary.added.bytes")).isEqualTo(3 * 119 + (1 << 20));
        assertThat(done.getLong("summary.removed.entries")).isEqualTo(80);
        assertThat(done.getLong("summary.changed.entries")).isEqualTo(300);
        assertThat(done.getBoolean("summary.truncated")).isFalse();
        assertThat(done.getBoolean("summary.sameTemplate")).isTrue();
        assertThat(done.getList("summary.processes.added", String.class))
                .anyMatch(each -> each.endsWith("python3 holder.py"));
        assertThat(done.getList("summary.environment.added", String.class)).contains("NEW_SECRET");
        assertThat(done.prettify()).doesNotContain("hush");
        assertThat(done.getLong("summary.packages.count")).isZero();
    }

    @Test
    @Order(4)
    @Tag("F11")
    void aDeletionWinsOverWhoeverLooks() throws Exception {
        expect(200, api.get(files(old, "") + "?path=/"));
        var machines =
                List.of(
                        api.value(
                                        "select string_agg(machine, ' ') from peek where project_id"
                                                + " = '"
                                                + project.id()
                                                + "'")
                                .split(" "));
        assertThat(api.delete("/snapshots/" + old).statusCode()).isBetween(200, 204);
        assertRefused(404, "snapshot_deleted", api.get(files(old, "") + "?path=/"));
        assertRefused(404, "snapshot_deleted", post(key, Map.of("since", old), null));
        assertThat(api.delete("/snapshots/" + now).statusCode()).isBetween(200, 204);
        await(
                "rows of peeks are gone",
                () ->
                        api.value(
                                        "select count(*) from peek where project_id = '"
                                                + project.id()
                                                + "'")
                                .equals("0"));
        await(
                "machines of peeks are gone",
                () -> machines.stream().noneMatch(ContentsIT::isRunning));
    }

    private static TreeSet<String> expected() {
        var all = new TreeSet<String>();
        for (int i = 0; i < 80; i++) {
            all.add("removed gone" + i + " []");
            all.add("changed mode" + i + " [mode]");
        }
        for (int i = 0; i < 60; i++) {
            all.add("changed longer" + i + " [size, content]");
            all.add("changed hidden" + i + " [content]");
            all.add("changed link" + i + " [target]");
        }
        for (int i = 0; i < 40; i++) {
            all.add("changed type" + i + " [type, mode]");
        }
        for (int i = 0; i < 99; i++) {
            all.add("added new" + i + " []");
        }
        for (int i = 0; i < 20; i++) {
            all.add("added odd\u00ff\n" + i + " []");
        }
        all.add("added held.bin []");
        assertThat(all).hasSize(500);
        return all;
    }

    /** As the program that made them names them; what lies outside its tree is told whole. */
    private static TreeSet<String> changes(String id) {
        var all = new TreeSet<String>();
        String after = "";
        do {
            var page =
                    expect(
                            200,
                            api.get(
                                    comparisons(
                                            now, "/" + id + "/changes?limit=100&after=" + after)));
            List<Map<String, Object>> changes = page.getList("changes");
            for (Map<String, Object> each : changes) {
                all.add(each.get("kind") + " " + path(each) + " " + each.get("what"));
            }
            after = page.getString("next");
        } while (after != null);
        return all;
    }

    private static String path(Map<String, Object> change) {
        Object after = change.get("after");
        var entry = (Map<?, ?>) (after == null ? change.get("before") : after);
        Object bytes = entry.get("pathBytes");
        String path =
                bytes == null
                        ? entry.get("path").toString()
                        : new String(
                                Base64.getUrlDecoder().decode(bytes.toString()),
                                StandardCharsets.ISO_8859_1);
        return path.replaceFirst("^/home/user/t/", "");
    }

    private static boolean isRunning(String machine) {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(each -> each.getFileName().toString().matches("[0-9]+"))
                    .anyMatch(each -> command(each).contains(machine));
        } catch (IOException e) {
            return false;
        }
    }

    private static String command(Path process) {
        try {
            return new String(Files.readAllBytes(process.resolve("cmdline")));
        } catch (IOException gone) {
            return "";
        }
    }

    private static String looks(String snapshot) {
        return "select count(*) from audit_entry where action = 'snapshot.look' and subject_id = '"
                + snapshot
                + "'";
    }

    private static Response content(String snapshot, String path) {
        return api.get(files(snapshot, "/content?path=" + encoded(path)));
    }

    private static Response asked(String by, String path) {
        return given().header("X-API-Key", by).urlEncodingEnabled(false).get(address(path));
    }

    private static Response post(String by, Map<String, ?> body, String prefer) {
        var call =
                given().header("X-API-Key", by)
                        .contentType("application/json")
                        .body(NativeClient.json(body));
        return (prefer == null ? call : call.header("Prefer", prefer))
                .post(address(comparisons(now, "")));
    }

    private static String files(String snapshot, String rest) {
        return "/snapshots/" + snapshot + "/files" + rest;
    }

    private static String comparisons(String snapshot, String rest) {
        return "/snapshots/" + snapshot + "/comparisons" + rest;
    }

    private static String address(String path) {
        return SharedServer.api() + "/api/v1/projects/" + project.id() + path;
    }
}
