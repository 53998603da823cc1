package dev.holdfast.api;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What meets on a volume: transfers, growth, deletion, hostile sandboxes, and who has no room. */
class VolumeRacesIT {

    private static final int REPEAT = Integer.getInteger("holdfast.repeat", 2);
    private static final long SMALL = 16L << 20;
    private static final int LENGTH = 2 << 20;
    private static final String NOWHERE = "nowhere";

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static OwnProject project;
    private static NativeClient api;
    private static E2bClient client;
    private static String key;
    private static OwnVolumes volumes;

    /** An upload that goes on for as long as a test wants. */
    private record Upload(PipedOutputStream body, CompletableFuture<HttpResponse<String>> answer) {}

    @BeforeAll
    static void makesAProject() {
        project = OwnProject.make("volume-races");
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
    @Tag("R73")
    void anUploadAndAGrowthDoNotHurtEachOther() throws Exception {
        for (int round = 0; round < REPEAT; round++) {
            String id = volumes.make("slow-" + round, SMALL);
            byte[] content = bytes(round, LENGTH);
            Upload upload = begin(id, "/slow");
            upload.body().write(content, 0, LENGTH / 2);
            await("it comes in", () -> isComing(id));

            Response refused = api.patch("/volumes/" + id, Map.of("limitBytes", 4 * SMALL));
            assertRefused(409, "volume_busy", refused);
            assertThat(refused.header("Retry-After")).isNotBlank();
            JsonPath shown = expect(200, api.get("/volumes/" + id));
            assertThat(shown.getLong("limitBytes")).as("nothing was done").isEqualTo(SMALL);
            assertThat(shown.getLong("usedBytes")).isPositive();
            expect(200, api.get("/volumes/" + id + "/files?path=/"));

            upload.body().write(content, LENGTH / 2, LENGTH / 2);
            upload.body().close();
            assertThat(upload.answer().get().statusCode()).isEqualTo(201);
            expect(200, api.patch("/volumes/" + id, Map.of("limitBytes", 4 * SMALL)));
            assertThat(read(id, "/slow").asByteArray()).isEqualTo(content);
            assertThat(expect(200, api.get("/volumes/" + id)).getLong("availableBytes"))
                    .isGreaterThan(3 * SMALL - LENGTH);
        }
    }

    @Test
    @Tag("R73")
    void whoeverMeetsAGrowthIsServedOrToldToComeAgain() throws Exception {
        String id = volumes.make("crowd", SMALL);
        int rounds = 4 * REPEAT;
        CompletableFuture<Void> growing =
                CompletableFuture.runAsync(
                        () -> {
                            for (int i = 2; i < rounds; i++) {
                                assertServed(
                                        200,
                                        api.patch(
                                                "/volumes/" + id, Map.of("limitBytes", i * SMALL)));
                            }
                        });
        CompletableFuture<Void> listing =
                CompletableFuture.runAsync(
                        () -> {
                            while (!growing.isDone()) {
                                assertServed(200, api.get("/volumes/" + id + "/files?path=/"));
                                expect(200, api.get("/volumes/" + id));
                            }
                        });
        List<Integer> there = new ArrayList<>();
        int sent = 0;
        do {
            if (assertServed(201, volumes.put(id, "/file-" + sent, bytes(sent, 200_000), ""))
                    == 201) {
                there.add(sent);
            }
            sent++;
        } while (!growing.isDone() && sent < 60);
        growing.get();
        listing.get();
        assertThat(there).isNotEmpty();
        for (int each : there) {
            assertThat(read(id, "/file-" + each).asByteArray()).isEqualTo(bytes(each, 200_000));
        }
    }

    @Test
    @Tag("R73")
    void aMountAndAGrowthSeeEachOther() throws Exception {
        for (int round = 0; round < REPEAT; round++) {
            String id = volumes.make("mounted-" + round, SMALL);
            expect(201, volumes.put(id, "/file", bytes(round, 1000), ""));
            var opening = client.askToOpen(mounting(id, "/mnt/x"), UUID.randomUUID().toString());
            Response grown = api.patch("/volumes/" + id, Map.of("limitBytes", 4 * SMALL));
            var opened = opening.get();
            assertThat(opened.statusCode()).as(opened.body()).isEqualTo(201);
            if (grown.statusCode() != 200) {
                assertThat(grown.statusCode()).as(grown.asString()).isEqualTo(409);
                assertThat(grown.jsonPath().getString("reason"))
                        .isIn("volume_in_use", "volume_busy");
            }
            JsonPath sandbox = new JsonPath(opened.body());
            Sandbox mounting =
                    new Sandbox(
                            sandbox.getString("sandboxID"), sandbox.getString("envdAccessToken"));
            assertThat(client.must(mounting, "stat -c %s /mnt/x/file")).isEqualTo("1000\n");
            client.must(mounting, "echo in > /mnt/x/more; sync");
            client.kill(mounting.id());
            await(
                    "it is larger",
                    () ->
                            api.patch("/volumes/" + id, Map.of("limitBytes", 4 * SMALL))
                                            .statusCode()
                                    == 200);
            await(
                    "its file too",
                    () ->
                            expect(200, api.get("/volumes/" + id)).getLong("availableBytes")
                                    > 3 * SMALL);
            assertThat(read(id, "/file").asByteArray()).isEqualTo(bytes(round, 1000));
            assertThat(read(id, "/more").asString()).isEqualTo("in\n");
        }
    }

    @Test
    @Tag("R73")
    void aDeletionWinsOverAnUploadWhoseSenderIsTold() throws Exception {
        String id = volumes.make("deleted", SMALL);
        Upload upload = begin(id, "/late");
        upload.body().write(bytes(1, LENGTH));
        await("it comes in", () -> isComing(id));

        assertThat(api.delete("/volumes/" + id).statusCode()).isEqualTo(204);
        assertRefused(404, "volume_not_found", api.get("/volumes/" + id + "/files?path=/"));
        upload.body().close();
        HttpResponse<String> told = upload.answer().get();
        assertThat(told.statusCode()).as(told.body()).isEqualTo(404);
        assertThat(told.body()).contains("volume_not_found");
        await("its file is gone", () -> !Files.exists(home().resolve("volumes/" + id + ".img")));
        assertThat(home().resolve("worker/volumes/" + id)).doesNotExist();
    }

    @Test
    @Tag("R73")
    void noVolumeIsPromisedWhatTheDiskDoesNotHave() throws Exception {
        String id = volumes.make("fits", SMALL);
        await(
                "there is room for little more",
                () -> {
                    leaveRoom(SMALL);
                    return api.post("/volumes", Map.of("name", name(), "limitBytes", 2 * SMALL))
                            .asString()
                            .contains("disk_full");
                });
        await(
                "that is told as it is",
                () -> {
                    leaveRoom(SMALL);
                    Response refused =
                            api.post("/volumes", Map.of("name", name(), "limitBytes", 2 * SMALL));
                    assertRefused(507, "disk_full", refused);
                    return refused.jsonPath().getLong("needed") == 2 * SMALL;
                });
        leaveRoom(SMALL);
        expect(201, api.post("/volumes", Map.of("name", name(), "limitBytes", SMALL)));
        expect(200, api.patch("/volumes/" + id, Map.of("limitBytes", 2 * SMALL)));

        expect(201, volumes.put(id, "/made", bytes(1, 1000), ""));
        assertThat(
                        Long.parseLong(
                                api.value("select held_bytes from volume where id = '" + id + "'")))
                .as("what its file has taken is promised no more")
                .isEqualTo(2 * SMALL);
    }

    @Test
    @Tag("R73")
    void aVolumeWhoseWorkerIsNotHeardOfIsUnavailableAndNoneIsMadeThere() throws Exception {
        api.sql(
                "insert into worker (id, platform, architecture, sandbox_limit, lease_until,"
                        + " started_at, missing, volume_room) values ('"
                        + NOWHERE
                        + "', 'gvisor systrap', 'amd64', 1, now() - interval '1 hour', now(), '',"
                        + " 1000000000000)");
        try {
            String id = volumes.make("lonely", SMALL);
            assertThat(expect(200, api.get("/volumes/" + id)).getString("worker"))
                    .isNotEqualTo(NOWHERE);
            api.sql("update volume set worker_id = '" + NOWHERE + "' where id = '" + id + "'");
            for (Response answer :
                    List.of(
                            api.get("/volumes/" + id + "/files?path=/"),
                            volumes.put(id, "/x", new byte[1], ""),
                            api.patch("/volumes/" + id, Map.of("limitBytes", 2 * SMALL)))) {
                assertRefused(503, "volume_unavailable", answer);
                assertThat(answer.header("Retry-After")).isNotBlank();
            }
            var opened = client.askToOpen(mounting(id, "/mnt/x"), UUID.randomUUID().toString());
            assertThat(opened.get().statusCode()).as(opened.get().body()).isEqualTo(503);
            assertThat(opened.get().body()).contains("volume_unavailable");
            expect(200, api.get("/volumes/" + id));

            api.sql(
                    "update volume set worker_id = (select id from worker where id <> '"
                            + NOWHERE
                            + "' and lease_until > now() limit 1) where id = '"
                            + id
                            + "'");
            expect(201, volumes.put(id, "/x", new byte[1], ""));
        } finally {
            api.sql("delete from worker where id = '" + NOWHERE + "'");
        }
    }

    @Test
    @Tag("R73")
    void aDirectoryThatBecomesALinkInBetweenLeadsNobodyOut() throws Exception {
        String id = volumes.make("swapped", 2 * SMALL);
        Path outside = Files.createTempDirectory("outside");
        Files.writeString(outside.resolve("x"), "outside");
        Files.setPosixFilePermissions(
                outside.resolve("x"), PosixFilePermissions.fromString("rw-r-----"));
        Files.setPosixFilePermissions(outside, PosixFilePermissions.fromString("rwxrwxrwx"));
        Sandbox sandbox = client.open(mounting(id, "/mnt/h"));
        client.write(
                sandbox,
                "/home/user/swap.py",
                """
                import os, shutil, sys, time
                def rename(one, other):
                    for _ in range(5):
                        try:
                            return os.rename(one, other)
                        except OSError:  # somebody has made a directory there meanwhile
                            shutil.rmtree(other, ignore_errors=True)
                os.chdir('/mnt/h')
                os.mkdir('real'); open('real/x', 'w').write('inside')
                os.symlink(sys.argv[1], 'link')
                open('begun', 'w').close()
                while True:
                    rename('real', 'away'); rename('link', 'real'); time.sleep(0.0005)
                    rename('real', 'link'); rename('away', 'real'); time.sleep(0.0005)
                """);
        client.startInBackground(sandbox, "exec python3 swap.py " + outside);
        await(
                "it swaps",
                () -> api.get("/volumes/" + id + "/files?path=/begun").statusCode() == 200);
        String token =
                given().header("X-API-Key", key)
                        .get(SharedServer.api() + "/volumes/" + id)
                        .jsonPath()
                        .getString("token");
        try {
            for (int i = 0; i < 40 * REPEAT; i++) {
                String own = "/real/new-" + i;
                Response read = read(id, "/real/x");
                assertThat(read.statusCode()).isIn(200, 404, 409);
                assertThat(read.asString()).doesNotContain("outside");
                Response listed = api.get("/volumes/" + id + "/files?path=/real");
                assertThat(listed.statusCode()).isIn(200, 404, 409);
                for (Response answer :
                        List.of(
                                volumes.put(id, own, "new".getBytes(), ""),
                                volumes.put(
                                        id, "/real/deep/er/x", "new".getBytes(), "&parents=true"),
                                volumes.put(id, "/real/x", "inside".getBytes(), "&overwrite=true"),
                                api.post(
                                        "/volumes/" + id + "/files/directory?path=/real/d-" + i,
                                        Map.of()),
                                api.post(
                                        "/volumes/" + id + "/files/move?path=" + own,
                                        Map.of("to", "/real/moved-" + i)),
                                api.delete("/volumes/" + id + "/files?path=/real/d-" + i),
                                given().header("Authorization", "Bearer " + token)
                                        .contentType("application/json")
                                        .body("{\"mode\": 511, \"uid\": 7}")
                                        .patch(
                                                SharedServer.api()
                                                        + "/volumecontent/"
                                                        + id
                                                        + "/path?path=/real/x"))) {
                    assertThat(answer.statusCode())
                            .as(answer.asString())
                            .isIn(200, 201, 204, 400, 404, 409);
                }
            }
        } finally {
            client.kill(sandbox.id());
        }
        try (Stream<Path> left = Files.list(outside)) {
            assertThat(left).containsExactly(outside.resolve("x"));
        }
        assertThat(outside.resolve("x")).hasContent("outside");
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(outside.resolve("x"))))
                .isEqualTo("rw-r-----");
        assertThat(Files.getAttribute(outside.resolve("x"), "unix:uid")).isEqualTo(0);
        Files.delete(outside.resolve("x"));
        Files.delete(outside);
    }

    /** The status, which is as wanted or says to come again. */
    private static int assertServed(int wanted, Response answer) {
        if (answer.statusCode() == 409) {
            assertRefused(409, "volume_busy", answer);
        } else {
            expect(wanted, answer);
        }
        return answer.statusCode();
    }

    /** Has the worker say that so much is left beside what it has promised; it soon says again. */
    private static void leaveRoom(long bytes) throws Exception {
        api.sql(
                "update worker w set volume_room = "
                        + bytes
                        + " + (select coalesce(sum(limit_bytes - held_bytes), 0) from volume where"
                        + " worker_id = w.id and deleted_at is null)");
    }

    private static boolean isComing(String volume) throws IOException {
        try (Stream<Path> coming =
                Files.list(home().resolve("worker/volumes/" + volume + "/incoming"))) {
            return coming.findAny().isPresent();
        }
    }

    private static Path home() {
        return SharedServer.get().options().home();
    }

    private static Map<String, Object> mounting(String volume, String path) {
        return Map.of(
                "templateID",
                "base",
                "timeout",
                300,
                "secure",
                true,
                "volumeMounts",
                List.of(Map.of("name", volume, "path", path)));
    }

    private static String name() {
        return "v-" + UUID.randomUUID();
    }

    private static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static Upload begin(String volume, String path) throws IOException {
        PipedOutputStream body = new PipedOutputStream();
        PipedInputStream sent = new PipedInputStream(body, 1 << 16);
        return new Upload(
                body,
                HTTP.sendAsync(
                        HttpRequest.newBuilder(
                                        URI.create(
                                                volumes.address(volume, "/content?path=" + path)))
                                .header("X-API-Key", key)
                                .header("Content-Type", "application/octet-stream")
                                .PUT(BodyPublishers.ofInputStream(() -> sent))
                                .build(),
                        BodyHandlers.ofString()));
    }

    private static Response read(String volume, String path) {
        return api.get("/volumes/" + volume + "/files/content?path=" + path);
    }
}
