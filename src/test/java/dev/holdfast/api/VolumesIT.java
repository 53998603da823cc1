package dev.holdfast.api;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Volumes: mounted, current after a restore, bounded, and hostile to whoever reads them. */
class VolumesIT {

    private static final int REPEAT = Integer.getInteger("holdfast.repeat", 2);
    private static final long SMALL = 16L << 20;

    private static OwnProject project;
    private static NativeClient api;
    private static E2bClient client;
    private static String key;
    private static OwnVolumes volumes;

    @BeforeAll
    static void makesAProject() {
        project = OwnProject.make("volumes");
        key = project.everything();
        volumes = new OwnVolumes(project, key);
        api = new NativeClient(key);
        client = OwnProject.client(key);
    }

    @AfterAll
    static void removesEverything() throws Exception {
        volumes.remove();
    }

    @Test
    @Tag("R43")
    @Tag("R73")
    @Tag("R149")
    void isSeenByTwoSandboxesAndCurrentInEverythingMadeFromTheirStates() throws Exception {
        String volume = volumes.make("shared", 64L << 20);
        Sandbox one = open(Map.of("shared", "/mnt/data/deep"));
        Sandbox two = open(Map.of(volume, "/srv/other"));

        client.must(one, "echo first > /mnt/data/deep/file");
        assertThat(client.must(two, "cat /srv/other/file")).isEqualTo("first\n");
        client.must(
                two, "mkdir /srv/other/d; chmod 700 /srv/other/d; echo second > /srv/other/file");
        assertThat(client.must(one, "stat -c %U /mnt/data/deep/d; cat /mnt/data/deep/file"))
                .isEqualTo("user\nsecond\n");
        assertThat(api.sandbox(one.id()).getString("mounts[0].path")).isEqualTo("/mnt/data/deep");

        // What holds something of the volume open is saved with it, and a pipe holds nothing up.
        client.startInBackground(
                one, "cd /mnt/data/deep; mkfifo p; (cat p &); exec tail -f file >/tmp/seen");
        client.must(one, "until grep -q second /tmp/seen; do sleep 0.05; done");
        String saved = client.snapshot(one).id();
        client.must(one, "echo third > /mnt/data/deep/file");
        assertThat(api.snapshot(saved).getString("mounts[0].name")).isEqualTo("shared");
        assertThat(api.get("/snapshots/" + saved + "/files/content?path=/tmp/seen").asString())
                .as("nor does it hold up who looks into the snapshot")
                .isEqualTo("second\n");
        assertThat(
                        expect(200, api.get("/snapshots/" + saved + "/files?path=/mnt/data/deep"))
                                .getList("entries.size", Integer.class))
                .as("what is on the volume is no part of it")
                .allMatch(size -> size == 0);

        Sandbox restored = restored(saved);
        assertThat(client.must(restored, "cat /mnt/data/deep/file"))
                .as("a load does not roll it back")
                .isEqualTo("third\n");
        client.must(restored, "echo fourth > /mnt/data/deep/file");
        assertThat(client.must(two, "cat /srv/other/file")).isEqualTo("fourth\n");

        client.pause(two);
        client.must(one, "echo fifth > /mnt/data/deep/file");
        Sandbox resumed = client.resume(two, Duration.ofMinutes(2));
        assertThat(client.must(resumed, "cat /srv/other/file")).isEqualTo("fifth\n");
        expect(200, api.post("/sandboxes/" + one.id() + "/restore", Map.of("snapshotId", saved)));
        assertThat(client.must(one, "cat /mnt/data/deep/file"))
                .as("nor does a restore in place")
                .isEqualTo("fifth\n");

        assertRefused(
                400,
                "override_forbidden",
                api.restore(
                        saved,
                        Map.of(
                                "volumeMounts",
                                List.of(Map.of("name", "shared", "path", "/mnt/x")))));
        Response refused = api.delete("/volumes/shared");
        assertRefused(409, "volume_in_use", refused);
        assertThat(refused.jsonPath().getList("sandboxIDs"))
                .containsExactlyInAnyOrder(one.id(), two.id(), restored.id());
        JsonPath shown = expect(200, api.get("/volumes/" + volume));
        assertThat(shown.getList("mountedBy")).hasSize(3);
        assertThat(shown.getList("snapshots")).contains(saved);

        List.of(one, two, restored).forEach(each -> client.kill(each.id()));
        assertThat(api.delete("/volumes/shared").statusCode()).isEqualTo(204);
        String another = volumes.make("shared", SMALL);
        assertThat(another).isNotEqualTo(volume);
        assertThat(api.snapshot(saved).getString("verdict.reason")).isEqualTo("volume_deleted");
        assertThat(
                        expect(200, api.get("/snapshots?verdict=volume_deleted"))
                                .getList("snapshots.id"))
                .contains(saved);
        assertThat(expect(200, api.get("/snapshots?restorable=true")).getList("snapshots.id"))
                .doesNotContain(saved);
        assertRefused(409, "volume_deleted", api.restore(saved, Map.of()));
        await("its mount is gone", () -> !OwnVolumes.mountinfo().contains(volume));
    }

    @Test
    @Tag("R73")
    void isFullAtItsLimitAndNothingElseIs() throws Exception {
        volumes.make("small", SMALL);
        volumes.make("beside", SMALL);
        Sandbox sandbox = open(Map.of("small", "/mnt/small", "beside", "/mnt/beside"));

        E2bClient.Result full =
                client.run(sandbox, "dd if=/dev/zero of=/mnt/small/big bs=1M count=64");
        assertThat(full.exitCode()).isNotZero();
        assertThat(full.stderr()).contains("No space left on device");
        client.must(sandbox, "echo x > /mnt/beside/x; echo y > /home/user/y");
        Response refused = volumes.put("small", "/more", new byte[1 << 20], "");
        assertRefused(409, "volume_full", refused);
        JsonPath shown = expect(200, api.get("/volumes/small"));
        assertThat(shown.getLong("usedBytes")).isBetween(8L << 20, SMALL);
        assertThat(shown.getLong("limitBytes")).isEqualTo(SMALL);

        assertRefused(
                409, "volume_in_use", api.patch("/volumes/small", Map.of("limitBytes", 2 * SMALL)));
        client.must(sandbox, "rm /mnt/small/big");
        client.kill(sandbox.id());
        expect(200, api.patch("/volumes/small", Map.of("limitBytes", 4 * SMALL)));
        await(
                "it is larger",
                () -> expect(200, api.get("/volumes/small")).getLong("availableBytes") > 3 * SMALL);
        Sandbox larger = open(Map.of("small", "/mnt/small"));
        client.must(larger, "dd if=/dev/zero of=/mnt/small/big bs=1M count=40");
        client.kill(larger.id());
        assertRefused(
                400, "invalid_parameter", api.patch("/volumes/small", Map.of("limitBytes", SMALL)));
        volumes.make("huge", 10L << 30);
        assertRefused(
                403,
                "quota_bytes_exceeded",
                api.post("/volumes", Map.of("name", "huger", "limitBytes", 10L << 30)));
    }

    @Test
    @Tag("R73")
    void filesComeAndGoWholeWithoutASandbox() {
        volumes.make("files", SMALL);
        byte[] content = new byte[300_000];
        IntStream.range(0, content.length).forEach(i -> content[i] = (byte) (i * 31));

        assertRefused(404, "file_not_found", volumes.put("files", "/a/b/one.bin", content, ""));
        JsonPath made = expect(201, volumes.put("files", "/a/b/one.bin", content, "&parents=true"));
        assertThat(made.getLong("size")).isEqualTo(content.length);
        assertThat(made.getLong("uid")).isEqualTo(1000);
        assertRefused(409, "file_exists", volumes.put("files", "/a/b/one.bin", content, ""));
        expect(201, volumes.put("files", "/a/b/one.bin", content, "&overwrite=true"));

        Response whole = api.get("/volumes/files/files/content?path=/a/b/one.bin");
        assertThat(whole.asByteArray()).isEqualTo(content);
        assertThat(whole.header("Content-Disposition")).startsWith("attachment");
        assertThat(whole.header("Content-Security-Policy")).startsWith("sandbox");
        Response part =
                given().header("X-API-Key", key)
                        .header("Range", "bytes=-10")
                        .get(volumes.address("files", "/content?path=/a/b/one.bin"));
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.asByteArray())
                .isEqualTo(Arrays.copyOfRange(content, content.length - 10, content.length));

        expect(201, api.post("/volumes/files/files/directory?path=/a/c", Map.of()));
        expect(
                200,
                api.post(
                        "/volumes/files/files/move?path=/a/b/one.bin",
                        Map.of("to", "/a/c/zwei ü")));
        expect(201, volumes.put("files", "/a/c/eins", "1".getBytes(), ""));
        JsonPath page = expect(200, api.get("/volumes/files/files?path=/a/c&limit=1"));
        assertThat(page.getList("entries.path")).isEqualTo(List.of("/a/c/eins"));
        JsonPath last =
                expect(
                        200,
                        api.get(
                                "/volumes/files/files?path=/a/c&limit=1&after="
                                        + page.getString("next")));
        assertThat(last.getList("entries.path")).isEqualTo(List.of("/a/c/zwei ü"));
        assertThat(last.getString("next")).isNull();
        JsonPath all = expect(200, api.get("/volumes/files/files?path=/a/c&limit=1000"));
        assertThat(all.getList("entries")).hasSize(2);
        assertRefused(
                400, "invalid_parameter", api.get("/volumes/files/files?path=/a/c&limit=1001"));
        assertRefused(409, "directory_not_empty", api.delete("/volumes/files/files?path=/a"));
        assertThat(api.delete("/volumes/files/files?path=/a&recursive=true").statusCode())
                .isEqualTo(204);
        assertRefused(404, "file_not_found", api.get("/volumes/files/files?path=/a"));
        assertRefused(
                400, "invalid_parameter", api.get("/volumes/files/files?path=/../../etc/passwd"));
    }

    @Test
    @Tag("R73")
    void leadsNobodyOutOfItAndHoldsNobodyUp() {
        volumes.make("hostile", 32L << 20);
        Sandbox sandbox = open(Map.of("hostile", "/mnt/h"));
        client.write(
                sandbox,
                "/home/user/lay.py",
                """
                import os, socket
                os.chdir('/mnt/h')
                os.symlink('/etc', 'etc'); os.symlink('/etc/passwd', 'passwd')
                os.symlink('../incoming', 'up'); os.symlink('loop', 'loop')
                open('host', 'w').write('x'); os.link('host', 'hard')
                os.mkfifo('pipe')
                open(b'odd\\xff\\n', 'w').write('odd')
                os.mkdir('many')
                for i in range(3000): open('many/%05d' % i, 'w').close()
                os.makedirs('/mnt/h/deep'); os.chdir('deep')
                for i in range(60):
                    os.mkdir('d' * 200); os.chdir('d' * 200)
                """);
        client.must(sandbox, "python3 lay.py");

        JsonPath root = expect(200, api.get("/volumes/hostile/files?path=/"));
        assertThat(root.getList("entries.path")).contains("/etc", "/passwd", "/many", "/deep");
        for (String path : List.of("/passwd", "/etc/passwd", "/loop", "/up/x", "/loop/x")) {
            Response answer = api.get("/volumes/hostile/files/content?path=" + path);
            assertThat(answer.statusCode()).as(path).isIn(404, 409);
            assertThat(
                            volumes.put("hostile", path, "owned".getBytes(), "&overwrite=true")
                                    .statusCode())
                    .as(path)
                    .isIn(201, 404, 409);
        }
        assertThat(Path.of("/etc/passwd")).content().doesNotContain("owned");
        assertThat(client.must(sandbox, "readlink /mnt/h/etc")).isEqualTo("/etc\n");
        assertThat(client.must(sandbox, "cat /mnt/h/passwd"))
                .as("a link is replaced and not followed")
                .isEqualTo("owned");
        String odd =
                root.<Map<String, String>>getList("entries").stream()
                        .filter(each -> each.get("pathBytes") != null)
                        .findFirst()
                        .orElseThrow()
                        .get("pathBytes");
        assertThat(api.get("/volumes/hostile/files/content?pathBytes=" + odd).asString())
                .isEqualTo("odd");

        JsonPath many = expect(200, api.get("/volumes/hostile/files?path=/many&limit=100"));
        assertThat(many.getList("entries")).hasSize(100);
        assertThat(many.getString("next")).isNotNull();

        // Renames while it is read: what is found is always inside, or not at all.
        client.startInBackground(
                sandbox,
                "cd /mnt/h; mkdir real; echo real > real/hosts; while :; do mv real r2; ln -s /etc"
                        + " real; rm real; mv r2 real; done");
        for (int i = 0; i < 60 * REPEAT; i++) {
            Response answer = api.get("/volumes/hostile/files/content?path=/real/hosts");
            if (answer.statusCode() == 200) {
                assertThat(answer.asString()).isEqualTo("real\n");
            } else {
                assertThat(answer.statusCode()).isIn(404, 409);
            }
        }
        long before = System.nanoTime();
        assertThat(api.delete("/volumes/hostile/files?path=/deep&recursive=true").statusCode())
                .isEqualTo(204);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        client.kill(sandbox.id());
    }

    @Test
    void ofManyWhoMakeOneNameOneDoesAndADeletionAndAMountSeeEachOther() throws Exception {
        for (int round = 0; round < REPEAT; round++) {
            String name = "race-" + round;
            List<CompletableFuture<Response>> makers =
                    IntStream.range(0, 4)
                            .mapToObj(
                                    i ->
                                            CompletableFuture.supplyAsync(
                                                    () ->
                                                            api.post(
                                                                    "/volumes",
                                                                    Map.of(
                                                                            "name",
                                                                            name,
                                                                            "limitBytes",
                                                                            SMALL))))
                            .toList();
            assertThat(makers.stream().map(each -> each.join().statusCode()).sorted().toList())
                    .isEqualTo(List.of(201, 409, 409, 409));
            var opening =
                    client.askToOpen(
                            Map.of(
                                    "templateID",
                                    "base",
                                    "timeout",
                                    60,
                                    "volumeMounts",
                                    List.of(Map.of("name", name, "path", "/mnt/r"))),
                            "race-" + UUID.randomUUID());
            Response deleted = api.delete("/volumes/" + name);
            var opened = opening.join();
            if (deleted.statusCode() == 204) {
                assertThat(opened.statusCode()).as(opened.body()).isEqualTo(404);
                assertThat(opened.body()).contains("volume_not_found");
            } else {
                assertRefused(409, "volume_in_use", deleted);
                assertThat(opened.statusCode()).as(opened.body()).isEqualTo(201);
                client.kill(new JsonPath(opened.body()).getString("sandboxID"));
                assertThat(api.delete("/volumes/" + name).statusCode()).isEqualTo(204);
            }
        }
    }

    @Test
    void isAnothersToNobodyAndIsMountedOnlyWhereItMayBe() {
        volumes.make("mine", SMALL);
        OwnProject other = OwnProject.make("volumes-other");
        E2bClient stranger = OwnProject.client(other.everything());
        Map<String, Object> body =
                Map.of(
                        "templateID",
                        "base",
                        "volumeMounts",
                        List.of(Map.of("name", "mine", "path", "/mnt/x")));
        assertThat(stranger.askToOpen(body, "a").join().body()).contains("volume_not_found");
        for (String path :
                List.of(
                        "/",
                        "/etc/x",
                        "/proc",
                        "mnt/x",
                        "/mnt/../etc",
                        "/mnt//x",
                        "/mnt/x/",
                        "/tmp")) {
            var refused =
                    client.askToOpen(
                                    Map.of(
                                            "templateID",
                                            "base",
                                            "volumeMounts",
                                            List.of(Map.of("name", "mine", "path", path))),
                                    "p" + path.hashCode())
                            .join();
            assertThat(refused.statusCode()).as(path + refused.body()).isEqualTo(400);
            assertThat(refused.body()).contains("volumeMounts");
        }
        String reader = project.key("sandboxes:use");
        assertThat(
                        OwnProject.ask(
                                        reader,
                                        "GET",
                                        "/projects/" + project.id() + "/volumes",
                                        null)
                                .statusCode())
                .isEqualTo(200);
        assertRefused(
                403,
                "permission_missing",
                OwnProject.ask(
                        reader, "DELETE", "/projects/" + project.id() + "/volumes/mine", null));
    }

    private static Sandbox open(Map<String, String> mounts) {
        return client.open(
                Map.of(
                        "templateID",
                        "base",
                        "timeout",
                        300,
                        "secure",
                        true,
                        "volumeMounts",
                        mounts.entrySet().stream()
                                .map(each -> Map.of("name", each.getKey(), "path", each.getValue()))
                                .toList()));
    }

    private static Sandbox restored(String snapshot) {
        return client.open(Map.of("templateID", snapshot, "timeout", 300, "secure", true));
    }
}
