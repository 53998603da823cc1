package dev.holdfast.template;

import static dev.holdfast.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.e2b.OtherProject;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Templates that a project makes: from its archive to the removal of its image. */
class TemplatesIT {

    private static final Duration LIFE = Duration.ofMinutes(10);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir static Path archives;

    private static E2bClient client;
    private static TemplateClient templates;

    private final List<Sandbox> opened = new ArrayList<>();

    @BeforeAll
    static void makesArchives() throws Exception {
        client = new E2bClient(SharedServer.api(), SharedServer.apiKey());
        templates = new TemplateClient(SharedServer.api(), SharedServer.apiKey());
        var cache = SharedServer.get().options().cache().resolve("template");
        var base = Files.readString(cache.resolve("base.digest")).strip();
        var making =
                new ProcessBuilder(
                                "bash",
                                "src/test/resources/template/archives.sh",
                                cache.resolve(base + ".squashfs").toString(),
                                archives.toString())
                        .inheritIO()
                        .start();
        assertThat(making.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(making.exitValue()).isZero();
    }

    @AfterEach
    void endsWhatItOpened() {
        opened.forEach(sandbox -> client.kill(sandbox.id()));
    }

    @Test
    @Tag("R77")
    @Tag("R78")
    @Tag("R79")
    @Tag("R109")
    @Tag("R110")
    void leavesASnapshotWholeWhenItIsDeleted() throws Exception {
        var template = made("keeper", "memoryMib=300&cpus=1&diskMib=700", "root.tar.gz");
        var digest = template.getString("digest");
        var sandbox = open("keeper");
        assertThat(client.must(sandbox, "id -un; cd; pwd; python3 -c 'print(6 * 7)'"))
                .isEqualTo("user\n/home/user\n42\n");
        assertThat(client.must(sandbox, "stat -c %a /usr/bin/privileged")).isEqualTo("755\n");
        client.write(sandbox, "/home/user/kept", "of the template");
        var snapshot = client.snapshot(sandbox);

        // What is deleted by E2B's call is a snapshot, never a template.
        assertThat(client.deleteSnapshot(template.getString("id"))).isFalse();
        var spare = client.snapshot(sandbox);
        assertThat(client.deleteSnapshot(spare.id())).isTrue();
        assertThat(templates.get("keeper").statusCode()).isEqualTo(200);

        assertThat(templates.delete("keeper").statusCode()).isEqualTo(204);
        assertRefused(404, "template_not_found", templates.delete("keeper"));
        assertThat(new JsonPath(templates.list().body()).getList("templates.name", String.class))
                .contains("base")
                .doesNotContain("keeper");
        var refused = client.snapshotAsync(sandbox, "late").get(30, TimeUnit.SECONDS);
        assertRefused(409, "template_deleted", refused);
        assertThat(client.lifecycleState(sandbox.id())).isEqualTo("RUNNING");
        assertThat(count("select count(*) from snapshot where state = 'UPLOADING'")).isZero();
        assertThat(count("select count(*) from reservation")).isZero();
        assertThat(client.must(sandbox, "echo usable")).isEqualTo("usable\n");
        client.kill(sandbox.id());

        jobRan();
        assertThat(stored(digest)).as("the snapshot needs it").isTrue();
        var restored = open(snapshot.id());
        assertThat(client.read(restored, "/home/user/kept")).isEqualTo("of the template");
        client.kill(restored.id());
        assertThat(client.deleteSnapshot(snapshot.id())).isTrue();
        awaitGone(digest);
    }

    @Test
    @Tag("R75")
    void ofTheFirstGenerationMakesSandboxesThatAreNotCaptured() throws Exception {
        var template = made("light", "generation=1", "root.tar.gz");
        assertThat(template.getInt("generation")).isEqualTo(1);
        var sandbox = open("light");
        assertThat(client.must(sandbox, "id -un; cat /proc/self/uid_map"))
                .startsWith("user\n")
                .endsWith(" 65536\n");
        assertRefused(
                409,
                "generation_unsupported",
                client.snapshotAsync(sandbox, null).get(30, TimeUnit.SECONDS));
        assertThat(templates.delete("light").statusCode()).isEqualTo(204);
    }

    @Test
    void isMadeOfAnOciArchiveAndOfADockerArchive() throws Exception {
        var first = templates.create("name=of-oci", archives.resolve("oci.tar"));
        var second = templates.create("name=of-docker", archives.resolve("docker.tar"));
        var digests = new ArrayList<String>();
        for (var each : List.of(first, second)) {
            var template = templates.built(each);
            assertThat(template.getString("failure")).isNull();
            digests.add(template.getString("digest"));
            assertThat(template.<String, String>getMap("environment"))
                    .containsEntry("GREETING", "hello");
        }
        assertThat(digests.get(0)).as("the same files").isEqualTo(digests.get(1));

        var body = Map.of("templateID", "of-docker", "timeout", 60);
        var sandbox = client.open(body);
        opened.add(sandbox);
        assertThat(client.must(sandbox, "echo $GREETING; id -un")).isEqualTo("hello\nuser\n");

        // One image, three who need it: two templates and a sandbox.
        assertThat(templates.delete("of-oci").statusCode()).isEqualTo(204);
        jobRan();
        assertThat(stored(digests.get(0))).as("the other template needs it").isTrue();
        assertThat(templates.delete("of-docker").statusCode()).isEqualTo(204);
        jobRan();
        assertThat(stored(digests.get(0))).as("the sandbox needs it").isTrue();
        client.kill(sandbox.id());
        awaitGone(digests.get(0));

        // What was removed comes back with the next template that needs it.
        var again = templates.built(templates.create("name=again", archives.resolve("oci.tar")));
        assertThat(again.getString("digest")).isEqualTo(digests.get(0));
        opened.add(client.create("again", LIFE));
        assertThat(templates.delete("again").statusCode()).isEqualTo(204);
    }

    @ParameterizedTest
    @CsvSource({
        "escape.tar, Member name contains '..'",
        "through-link.tar, cannot be unpacked",
        "hard-link.tar, cannot be unpacked",
        "device.tar, device node",
        "bomb.tar.gz, more than 256 MiB",
        "many.tar, 20000 files",
        "deep.tar, levels deep",
        "truncated.tar, not a whole one",
        "nonsense.tar, no tar archive",
        "bad-oci.tar, cannot be unpacked",
        "no-python.tar, /usr/bin/python3",
        "fifo.tar, /etc/passwd is no ordinary file"
    })
    @Tag("F9")
    void failsForAnArchiveThatIsNone(String archive, String reason) throws Exception {
        var template = templates.built(templates.create("name=hostile", archives.resolve(archive)));

        assertThat(template.getString("state")).isEqualTo("FAILED");
        assertThat(template.getString("failure")).contains(reason);
        assertThat(template.getString("digest")).isNull();
        assertThat(Path.of("/tmp/holdfast-escaped")).doesNotExist();
        assertNoBuildIsLeft();
        var id = template.getString("id");
        var shown = new JsonPath(templates.get("hostile").body());
        assertThat(shown.getString("id")).isEqualTo(id);
        assertThat(shown.getString("failure")).contains(reason);
        for (var reference : List.of(id, "hostile")) {
            var create = client.askToOpen(Map.of("templateID", reference), reference + id);
            assertRefused(409, "template_not_ready", create.get(30, TimeUnit.SECONDS));
        }
        assertThat(templates.delete(id).statusCode()).isEqualTo(204);
        assertRefused(404, "template_not_found", templates.get("hostile"));
    }

    /** A link to a device of the machine, where a file is written and given its mode. */
    @Test
    void leavesTheDevicesOfTheMachineAsTheyAre() throws Exception {
        var device = Path.of("/dev/null");
        var before = Files.getPosixFilePermissions(device);
        var template = made("linked", "", "sudo.tar");

        assertThat(Files.getPosixFilePermissions(device)).isEqualTo(before);
        var listing =
                new ProcessBuilder(
                                "unsquashfs",
                                "-lln",
                                image(template.getString("digest")).toString(),
                                "etc/sudoers.d/user")
                        .start();
        assertThat(new String(listing.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .containsPattern("-r--r----- 0/0 +33 ");
        assertThat(templates.delete("linked").statusCode()).isEqualTo(204);
    }

    /** Their archives are on the disk until it is their turn. */
    @Test
    void countsAgainstTheLimitOfBuildsUntilItIsGone() throws Exception {
        var server = SharedServer.get();
        var key = OtherProject.key(server.api(), server.apiKey(), server.databaseUrl());
        var theirs = new TemplateClient(server.api(), key);
        for (int i = 0; i < 4; i++) {
            update(
                    "insert into template (id, project_id, name, cpus, memory_mib, disk_mib, state,"
                            + " worker_id, deadline_at, deleted_at) values (gen_random_uuid(), '"
                            + theirs.project()
                            + "', 'spent', 1, 256, 512, 'BUILDING', 'nowhere',"
                            + " now() + interval '1 hour', now())");
        }
        var archive = archives.resolve("nonsense.tar");
        assertRefused(503, "worker_busy", theirs.create("name=next", archive));

        update(
                "update template set state = 'FAILED', failure = 'given up' where project_id = '"
                        + theirs.project()
                        + "'");
        assertThat(theirs.built(theirs.create("name=next", archive)).getString("state"))
                .isEqualTo("FAILED");
    }

    @Test
    void holdsItsNameFromTheFirstByteOn() throws Exception {
        var rest = new CompletableFuture<byte[]>();
        var slow =
                templates.askToCreate(
                        "name=slow",
                        BodyPublishers.fromPublisher(
                                BodyPublishers.concat(
                                        BodyPublishers.ofFile(archives.resolve("truncated.tar")),
                                        BodyPublishers.ofInputStream(
                                                () -> new ByteArrayInputStream(rest.join())))));
        await("it is being built", () -> templates.get("slow").statusCode() == 200);
        assertRefused(
                409, "name_taken", templates.create("name=slow", archives.resolve("root.tar")));
        var create = client.askToOpen(Map.of("templateID", "slow"), "building");
        assertRefused(409, "template_not_ready", create.get(30, TimeUnit.SECONDS));

        // Deleted while it is built: nothing becomes of it, and the name is free.
        assertThat(templates.delete("slow").statusCode()).isEqualTo(204);
        assertRefused(404, "template_not_found", templates.get("slow"));
        rest.complete(new byte[0]);
        assertThat(slow.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(202);
        await("its files are gone", TemplatesIT::noBuildIsLeft);
    }

    @Test
    void refusesWhatItCannotTakeBeforeItIsSent() throws Exception {
        var archive = archives.resolve("nonsense.tar");
        for (var name : List.of("", "-x", "a/b", "%C3%A4", "a".repeat(65))) {
            assertRefused(400, "malformed_name", templates.create("name=" + name, archive));
        }
        for (var size : List.of("cpus=0", "memoryMib=1", "diskMib=-1", "generation=3", "cpus=x")) {
            assertRefused(400, "invalid_parameter", templates.create("name=odd&" + size, archive));
        }
        assertRefused(
                415,
                "unsupported_media_type",
                templates.create("name=odd", "application/zip", BodyPublishers.ofFile(archive)));
        var said = Files.size(SharedServer.get().console());
        assertRefused(
                415,
                "unsupported_media_type",
                templates.create("name=odd", "*/*", BodyPublishers.ofFile(archive)));
        assertRefused(404, "template_not_found", templates.get("odd"));
        assertRefused(409, "template_built_in", templates.delete("base"));

        // Announced or not, what is too large is refused, and the client is told.
        assertRefused(
                413,
                "body_too_large",
                templates.create(
                        "name=odd",
                        "application/x-tar",
                        BodyPublishers.ofInputStream(
                                () -> new ByteArrayInputStream(new byte[66 << 20]))));
        try (var announced = templates.begin("name=odd", 100_000_000, SharedServer.apiKey())) {
            assertThat(status(announced)).endsWith("413");
        }
        await("nothing is left of them", TemplatesIT::noBuildIsLeft);
        try (var log = Files.newInputStream(SharedServer.get().console())) {
            log.skipNBytes(said);
            assertThat(new String(log.readAllBytes(), StandardCharsets.UTF_8))
                    .doesNotContain("Buffer has already been freed");
        }
    }

    @Test
    @Tag("F9")
    void failsWhenItsClientLeaves() throws Exception {
        try (var upload = templates.begin("name=left")) {
            await("it is being built", () -> templates.get("left").statusCode() == 200);
        }
        await("it failed", () -> state("left").equals("FAILED"));
        assertNoBuildIsLeft();
        assertThat(templates.get("left").body()).contains("the archive did not arrive whole");

        // Its name is free: whoever takes it goes before the one that failed.
        var next = templates.create("name=left", archives.resolve("nonsense.tar"));
        assertThat(new JsonPath(templates.get("left").body()).getString("id"))
                .isEqualTo(new JsonPath(next.body()).getString("id"));
        templates.built(next);
        for (int i = 0; i < 2; i++) {
            assertThat(templates.delete("left").statusCode()).isEqualTo(204);
        }
        assertRefused(404, "template_not_found", templates.get("left"));
    }

    /** More than there are threads: each is answered at once, and none holds one. */
    @Test
    void holdsNoThreadForUploadsOfStrangers() throws Exception {
        var uploads = new ArrayList<Socket>();
        try {
            for (int i = 0; i < 100; i++) {
                uploads.add(templates.begin("name=odd", 1 << 30, "e2b_" + "0".repeat(40)));
            }
            for (var upload : uploads) {
                assertThat(status(upload)).endsWith("401");
            }
            assertThat(templates.list().statusCode()).isEqualTo(200);
        } finally {
            for (var upload : uploads) {
                upload.close();
            }
        }
    }

    static IntStream rounds() {
        return IntStream.rangeClosed(1, Integer.getInteger("holdfast.repeat", 2));
    }

    /**
     * Whoever comes first to the template's row: the capture is taken and the template deleted
     * after it, or the capture is refused and nothing was done.
     */
    @ParameterizedTest
    @MethodSource("rounds")
    @Tag("R109")
    @Tag("R161")
    void isDeletedBeforeOrAfterACaptureAndNotInItsMiddle(int round) throws Exception {
        var name = "race-" + round;
        made(name, "", "root.tar.gz");
        var sandbox = open(name);
        CompletableFuture<HttpResponse<String>> capture;
        CompletableFuture<HttpResponse<String>> delete;
        if (round % 2 == 0) {
            capture = client.snapshotAsync(sandbox, name);
            Thread.sleep(round % 7);
            delete = templates.askToDelete(name);
        } else {
            delete = templates.askToDelete(name);
            Thread.sleep(round % 5);
            capture = client.snapshotAsync(sandbox, name);
        }

        assertThat(delete.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(204);
        var captured = capture.get(60, TimeUnit.SECONDS);
        assertThat(client.must(sandbox, "echo usable")).isEqualTo("usable\n");
        if (captured.statusCode() == 201) {
            client.kill(sandbox.id());
            jobRan();
            var snapshot = E2bClient.snapshot(captured.body());
            var restored = open(snapshot.id());
            assertThat(client.must(restored, "echo restored")).isEqualTo("restored\n");
            client.kill(restored.id());
            assertThat(client.deleteSnapshot(snapshot.id())).isTrue();
        } else {
            assertRefused(409, "template_deleted", captured);
            assertThat(client.lifecycleState(sandbox.id())).isEqualTo("RUNNING");
            assertThat(count("select count(*) from snapshot where short_name = '" + name + "'"))
                    .isZero();
            assertThat(count("select count(*) from reservation")).isZero();
            // A pause is not refused: nobody is to lose what runs.
            client.pause(sandbox);
            client.resume(sandbox, LIFE);
            assertThat(client.must(sandbox, "echo back")).isEqualTo("back\n");
        }
    }

    private Sandbox open(String reference) {
        var sandbox = client.create(reference, LIFE);
        opened.add(sandbox);
        return sandbox;
    }

    private static JsonPath made(String name, String more, String archive) throws Exception {
        var template =
                templates.built(
                        templates.create("name=" + name + "&" + more, archives.resolve(archive)));
        assertThat(template.getString("failure")).isNull();
        assertThat(template.getString("state")).isEqualTo("READY");
        return template;
    }

    /** The status line of the answer to an upload that does not come to its end. */
    private static String status(Socket upload) throws IOException {
        var line = upload.getInputStream().readNBytes("HTTP/1.1 000".length());
        return new String(line, StandardCharsets.US_ASCII);
    }

    private static void assertRefused(int status, String reason, HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(new JsonPath(answer.body()).getString("reason")).isEqualTo(reason);
    }

    private static String state(String reference) {
        return String.valueOf(new JsonPath(templates.get(reference).body()).getString("state"));
    }

    private static boolean stored(String digest) {
        return Files.exists(image(digest));
    }

    private static Path image(String digest) {
        return SharedServer.get()
                .options()
                .home()
                .resolve("store/templates/" + digest + ".squashfs");
    }

    private static void awaitGone(String digest) throws Exception {
        await("image " + digest + " is removed", () -> !stored(digest));
    }

    /** Time for the job, which looks every second. */
    private static void jobRan() throws InterruptedException {
        Thread.sleep(1_500);
    }

    private static void assertNoBuildIsLeft() throws Exception {
        await("the build's files are gone", TemplatesIT::noBuildIsLeft);
    }

    private static boolean noBuildIsLeft() throws IOException {
        try (var left = Files.list(SharedServer.get().options().home().resolve("build"))) {
            return left.map(entry -> entry.getFileName().toString())
                    .toList()
                    .equals(List.of("tools"));
        }
    }

    private static void update(String statement) throws Exception {
        try (var connection = DriverManager.getConnection(SharedServer.get().databaseUrl())) {
            connection.createStatement().executeUpdate(statement);
        }
    }

    private static long count(String query) throws Exception {
        try (var connection = DriverManager.getConnection(SharedServer.get().databaseUrl());
                var rows = connection.createStatement().executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
