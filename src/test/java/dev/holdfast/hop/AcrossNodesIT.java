package dev.holdfast.hop;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.OtherProject;
import dev.holdfast.e2b.SdkPrograms;
import dev.holdfast.run.AnotherNode;
import dev.holdfast.run.LocalServer;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sandboxes of the first node, spoken to by way of a second one that has none. */
@Timeout(180)
class AcrossNodesIT {

    private static final boolean FULL = Integer.getInteger("holdfast.repeat", 2) >= 10;
    private static final int MEBIBYTE = 1024 * 1024;
    private static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** What answers user ports: events, a whole, what is cut, and a connection that is upgraded. */
    private static final String PROGRAM =
            """
            import http.server, os, socket, struct, time

            class Handler(http.server.BaseHTTPRequestHandler):
                protocol_version = "HTTP/1.1"

                def do_GET(self):
                    if self.path == "/events":
                        self.head(("Content-Type", "text/event-stream"), ("Transfer-Encoding", "chunked"))
                        for n in range(3):
                            data = b"data: %d\\n\\n" % n
                            self.wfile.write(b"%x\\r\\n%s\\r\\n" % (len(data), data))
                            time.sleep(0.5)
                        self.wfile.write(b"0\\r\\n\\r\\n")
                    elif self.path == "/cut":
                        self.head(("Content-Length", "10"))
                        self.wfile.write(b"x")
                        time.sleep(0.5)
                        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                        os.close(self.connection.detach())
                    elif self.headers["Upgrade"] == "echo":
                        self.send_response(101)
                        self.send_header("Upgrade", "echo")
                        self.send_header("Connection", "Upgrade")
                        self.end_headers()
                        while data := self.connection.recv(4096):
                            self.connection.sendall(data.upper())
                    else:
                        seen = str(self.headers).encode()
                        self.head(("Content-Length", str(len(seen))))
                        self.wfile.write(seen)

                def head(self, *headers):
                    self.send_response(200)
                    for name, value in headers:
                        self.send_header(name, value)
                    self.end_headers()

            http.server.ThreadingHTTPServer(("0.0.0.0", 3000), Handler).serve_forever()
            """;

    @TempDir static Path directory;

    private static LocalServer second;
    private static NativeClient here;
    private static NativeClient there;
    private static E2bClient near;
    private static E2bClient far;
    private static String key;
    private static E2bClient.Sandbox sandbox;

    @BeforeAll
    static void standsBeforeTheFirst() throws Exception {
        second =
                LocalServer.of(
                                AnotherNode.beside(
                                        "across", 940, Map.of("HOLDFAST_ROLES", "control")))
                        .forget();
        second.start();
        var shared = SharedServer.get();
        key = OtherProject.key(shared.api(), shared.apiKey(), shared.databaseUrl());
        here = new NativeClient(shared.api(), key);
        there = new NativeClient(second.api(), key);
        near = new E2bClient(shared.api(), key);
        far = new E2bClient(second.api(), key);
        sandbox = near.create("code-interpreter-v1", LIFETIME);
        near.write(sandbox, "/home/user/program.py", PROGRAM);
        near.startInBackground(sandbox, "python3 /home/user/program.py");
        await("a program answers", () -> get(shared, "/", 3000).statusCode(), s -> s == 200);
    }

    @AfterAll
    static void leavesNothing() throws Exception {
        try {
            if (near != null) {
                near.sandboxes().forEach(near::kill);
            }
        } finally {
            second.stop();
            second.keepConsole(Path.of("target", "across-log"));
            second.erase();
        }
    }

    @Test
    void runsCommandsAndToldAsTheyHappen() throws Exception {
        assertThat(far.must(sandbox, "echo hello; hostname")).startsWith("hello\n");
        var said = new LinkedBlockingQueue<Long>();
        long begun = System.nanoTime();
        int code =
                far.follow(
                        sandbox,
                        "echo a; sleep 1; echo b; exit 3",
                        text -> said.add(System.nanoTime() - begun));
        assertThat(code).isEqualTo(3);
        var moments = new ArrayList<>(said);
        assertThat(moments.get(moments.size() - 1) - moments.get(0))
                .isGreaterThan(Duration.ofMillis(500).toNanos());
    }

    @Test
    void carriesALargeFileBothWays() throws Exception {
        byte[] content = new byte[(FULL ? 100 : 16) * MEBIBYTE];
        new Random(3).nextBytes(content);
        String digest = sha256(content);

        far.write(sandbox, "/home/user/large", content);
        assertThat(near.must(sandbox, "sha256sum /home/user/large")).startsWith(digest);
        var answer =
                HTTP.send(
                        request(second, "/files?path=/home/user/large", 49983)
                                .header("X-Access-Token", sandbox.token())
                                .build(),
                        BodyHandlers.ofInputStream());
        var hash = MessageDigest.getInstance("SHA-256");
        try (InputStream in = answer.body()) {
            byte[] buffer = new byte[64 * 1024];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                hash.update(buffer, 0, n);
            }
        }
        assertThat(HexFormat.of().formatHex(hash.digest())).isEqualTo(digest);
    }

    @Test
    void carriesManyStreamsAtOnce() throws Exception {
        var threads = Executors.newCachedThreadPool();
        try {
            var streams = new ArrayList<CompletableFuture<String>>();
            for (int i = 0; i < 20; i++) {
                String word = "stream-" + i;
                streams.add(
                        CompletableFuture.supplyAsync(
                                () -> far.must(sandbox, "sleep 1; echo " + word), threads));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(streams.get(i).get(30, TimeUnit.SECONDS))
                        .isEqualTo("stream-" + i + "\n");
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void passesAProgramsEventsAsTheyHappen() throws Exception {
        var answer =
                HTTP.send(request(second, "/events", 3000).build(), BodyHandlers.ofInputStream());
        long begun = System.nanoTime();
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(answer.body().readAllBytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("data: 0\n\ndata: 1\n\ndata: 2\n\n");
        assertThat(System.nanoTime() - begun).isGreaterThan(Duration.ofMillis(500).toNanos());
    }

    @Test
    void cutsWhatTheProgramCuts() throws Exception {
        for (var server : List.of(SharedServer.get(), second)) {
            var answer =
                    HTTP.send(request(server, "/cut", 3000).build(), BodyHandlers.ofInputStream());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThatThrownBy(() -> answer.body().readAllBytes()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void joinsAnUpgradedConnection() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", second.options().httpPort())) {
            socket.setSoTimeout(20_000);
            write(
                    socket,
                    "GET /socket HTTP/1.1\r\nHost: 3000-"
                            + sandbox.id()
                            + ".example.com\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n");
            var in = socket.getInputStream();
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.read());
            }
            assertThat(head).startsWith("HTTP/1.1 101");
            for (int i = 0; i < 50; i++) {
                write(socket, "abc");
                assertThat(in.readNBytes(3)).asString().isEqualTo("ABC");
            }
        }
    }

    @Test
    void showsAProgramTheSameByBothNodes() throws Exception {
        var seen = new ArrayList<String>();
        for (var server : List.of(SharedServer.get(), second)) {
            var asked =
                    request(server, "/headers", 3000)
                            .header("X-Forwarded-For", "203.0.113.77")
                            .header("X-API-Key", key)
                            .build();
            seen.add(
                    HTTP.send(asked, BodyHandlers.ofString())
                            .body()
                            .replaceAll(":\\d{4,5}|[Pp]ort: \\d+", "")
                            .strip());
        }
        assertThat(lines(seen.get(1)))
                .containsExactlyInAnyOrderElementsOf(lines(seen.get(0)))
                .noneMatch(line -> line.contains(key) || line.contains("203.0.113.77"));
    }

    private static List<String> lines(String headers) {
        return headers.lines().map(line -> line.toLowerCase().strip()).sorted().toList();
    }

    @Test
    void executesCodeInTheInterpreter() throws Exception {
        var answer =
                HTTP.send(
                        request(second, "/execute", 49999)
                                .header("X-Access-Token", sandbox.token())
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString("{\"code\": \"6 * 7\"}"))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("42");
    }

    @Test
    void answersForASessionOfTheWorkbench() throws Exception {
        String path = "/sessions/" + sandbox.id();
        expect(200, here.get(path + "/contexts"));
        assertThat(expect(200, there.get(path + "/contexts")).getString("contexts[0].id"))
                .isEqualTo("python");
        assertThat(there.get(path + "/processes").statusCode()).isEqualTo(200);
        Response said =
                there.post(path + "/contexts/python/executions", Map.of("code", "print('far')"));
        assertThat(said.asString()).contains("far", "\"end\"");
        Response put =
                given().header("X-API-Key", key)
                        .contentType("application/octet-stream")
                        .body(new byte[] {1, 2, 3})
                        .post(address(path + "/files?path=/home/user/three"));
        assertThat(put.statusCode()).as(put.asString()).isEqualTo(204);
        assertThat(there.get(path + "/files/content?path=/home/user/three").asByteArray())
                .containsExactly(1, 2, 3);
        assertThat(near.must(sandbox, "stat -c %s /home/user/three")).isEqualTo("3\n");
        expect(401, given().get(address(path + "/contexts")));
        expect(404, there.get("/sessions/i0000000000000000none/contexts"));
    }

    @Test
    void answersForWhatIsInAVolume() throws Exception {
        JsonPath made =
                expect(
                        201,
                        here.post(
                                "/volumes", Map.of("name", "across", "limitBytes", 16 * MEBIBYTE)));
        String id = made.getString("id");
        try {
            for (String reference : List.of(id, "across")) {
                Response put =
                        given().header("X-API-Key", key)
                                .contentType("application/octet-stream")
                                .body(reference.getBytes(StandardCharsets.UTF_8))
                                .put(
                                        address(
                                                "/volumes/"
                                                        + reference
                                                        + "/files/content?path=/one&overwrite=true"));
                assertThat(put.statusCode()).as(put.asString()).isBetween(200, 201);
                assertThat(here.get("/volumes/" + id + "/files/content?path=/one").asString())
                        .isEqualTo(reference);
                assertThat(there.get("/volumes/" + id + "/files/content?path=/one").asString())
                        .isEqualTo(reference);
            }
            expect(200, there.get("/volumes/across/files?path=/"));
            String token =
                    given().header("X-API-Key", key)
                            .get(second.api() + "/volumes/" + id)
                            .jsonPath()
                            .getString("token");
            String content = second.api() + "/volumecontent/" + id + "/file?path=/one";
            assertThat(given().header("Authorization", "Bearer " + token).get(content).asString())
                    .isEqualTo("across");
            expect(401, given().header("Authorization", "Bearer none").get(content));
        } finally {
            here.delete("/volumes/" + id);
        }
    }

    @Test
    void findsWhoSignedAnAddress() throws Exception {
        far.write(sandbox, "/home/user/signed", "by a signature");
        String path = "/home/user/signed";
        String text = path + ":read:user:" + sandbox.token();
        byte[] hash =
                MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        String signature = "v1_" + Base64.getEncoder().withoutPadding().encodeToString(hash);
        String address = second.api() + "/files";

        assertThat(
                        given().queryParam("path", path)
                                .queryParam("username", "user")
                                .queryParam("signature", signature)
                                .get(address)
                                .asString())
                .isEqualTo("by a signature");
        Response wrong =
                given().queryParam("path", path + "x")
                        .queryParam("username", "user")
                        .queryParam("signature", signature)
                        .get(address);
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(wrong.asString()).contains("invalid signature");
    }

    @Test
    void refusesAsTheOwnNodeDoes() throws Exception {
        var stranger = new E2bClient.Sandbox(sandbox.id(), "wrong");
        var unknown = new E2bClient.Sandbox("i0000000000000000none", "wrong");
        for (var who : List.of(stranger, unknown)) {
            var own = ask(SharedServer.get(), who);
            var answer = ask(second, who);
            assertThat(answer.body()).isEqualTo(own.body());
            assertThat(answer.statusCode()).isEqualTo(own.statusCode()).isIn(401, 502);
        }
    }

    private static HttpResponse<String> ask(LocalServer server, E2bClient.Sandbox who)
            throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(server.api().resolve("/files?path=x"))
                        .header("E2b-Sandbox-Id", who.id())
                        .header("E2b-Sandbox-Port", "49983")
                        .header("X-Access-Token", who.token())
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void takesNoHeaderThatNoNodeHasMade() throws Exception {
        for (var server : List.of(SharedServer.get(), second)) {
            for (int port : new int[] {3000, 49983}) {
                var forged =
                        request(server, "/", port)
                                .header("Holdfast-Hop", "1;worker-1;1893553445;127.0.0.1;http;AAAA")
                                .build();
                assertThat(HTTP.send(forged, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
            }
        }
    }

    @Test
    void endsAStreamAsTheOwnNodeDoesWhenItsSandboxIsKilled() throws Exception {
        var ends = new ArrayList<String>();
        for (var client : List.of(near, far)) {
            var victim = near.create("base", LIFETIME);
            var said = new LinkedBlockingQueue<String>();
            var follows =
                    CompletableFuture.supplyAsync(
                            () -> client.follow(victim, "echo up; sleep 60", said::add));
            assertThat(said.poll(20, TimeUnit.SECONDS)).isEqualTo("up\n");
            near.kill(victim.id());
            ends.add(
                    follows.handle((code, failure) -> String.valueOf(failure))
                            .get(20, TimeUnit.SECONDS));
            await("it is gone", () -> ask(second, victim).statusCode(), status -> status == 502);
        }
        assertThat(ends.get(1)).isEqualTo(ends.get(0)).contains("unavailable");
    }

    @Test
    void tellsOfAPausedOneAndGoesOnWithItAfterwards() throws Exception {
        var sleeper = near.create("base", LIFETIME);
        assertThat(far.must(sleeper, "echo before")).isEqualTo("before\n");
        near.pause(sleeper);
        await("it is away", () -> ask(second, sleeper).statusCode(), status -> status == 502);
        var awake = near.resume(sleeper, LIFETIME);
        await("it is back", () -> ask(second, awake).statusCode(), status -> status == 404);
        assertThat(far.must(awake, "echo after")).isEqualTo("after\n");
        near.kill(awake.id());
    }

    @Test
    void speaksToNoWorkerThatShowsAnotherCertificate() throws Exception {
        String shown = here.value("select certificates from worker where id = 'worker-1'");
        String other = "0".repeat(64);
        here.sql("update worker set certificates = '" + other + "' where id = 'worker-1'");
        try {
            var refused =
                    await(
                            "nobody is trusted",
                            () -> get(second, "/", 3000),
                            answer -> answer.statusCode() == 503);
            assertThat(refused.body()).contains("worker_unreachable", sandbox.id());
            assertThat(get(SharedServer.get(), "/", 3000).statusCode()).isEqualTo(200);
        } finally {
            here.sql("update worker set certificates = '" + shown + "' where id = 'worker-1'");
        }
        await("it is trusted", () -> get(second, "/", 3000).statusCode(), s -> s == 200);
    }

    /** A worker that is only a row, and whose lease has been over for a while. */
    @Test
    void saysThatAWorkerIsNotReachedWhoseLeaseIsOver() throws Exception {
        var stray = near.create("base", LIFETIME);
        here.sql(
                "insert into worker (id, platform, architecture, cpu_features, sandbox_limit,"
                        + " agent_protocols, state_formats, lease_until, started_at, address,"
                        + " certificates) select 'worker-9', platform, architecture, cpu_features,"
                        + " 0, agent_protocols, state_formats, now() - interval '1 minute',"
                        + " started_at, 'localhost:1', certificates from worker"
                        + " where id = 'worker-1'");
        try {
            move(stray, "worker-9");
            var refused =
                    await(
                            "it is out of reach",
                            () -> ask(second, stray),
                            answer -> answer.statusCode() == 503);
            assertThat(refused.body()).contains("worker_unreachable", stray.id());
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");

            here.sql(
                    "update worker set lease_until = now() + interval '5 s' where id = 'worker-9'");
            assertThat(ask(second, stray).statusCode()).as("nobody listens there").isEqualTo(503);
            here.sql(
                    "update worker set address = null, certificates = null, lease_until = now()"
                            + " where id = 'worker-9'");
            await("nobody is to reach it", () -> ask(second, stray).statusCode(), s -> s == 502);
        } finally {
            move(stray, "worker-1");
            here.sql("delete from worker where id = 'worker-9'");
            near.kill(stray.id());
        }
    }

    /** It takes a request and says nothing, as a host that has lost its power does. */
    @Test
    void endsWhatIsOpenToAWorkerThatFallsSilent() throws Exception {
        var stray = near.create("base", LIFETIME);
        Path keys = KeyStores.make(directory.resolve("silent.p12"));
        try (var silent =
                KeyStores.context(keys)
                        .getServerSocketFactory()
                        .createServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var taken = CompletableFuture.supplyAsync(() -> takes(silent));
            here.sql(
                    "insert into worker (id, platform, architecture, cpu_features, sandbox_limit,"
                            + " agent_protocols, state_formats, lease_until, started_at, address,"
                            + " certificates) select 'worker-8', platform, architecture,"
                            + " cpu_features, 0, agent_protocols, state_formats,"
                            + " now() + interval '4 s', started_at, '127.0.0.1:"
                            + silent.getLocalPort()
                            + "', '"
                            + String.join(" ", KeyStores.shown(keys))
                            + "' from worker where id = 'worker-1'");
            move(stray, "worker-8");
            var answer = CompletableFuture.supplyAsync(() -> askQuietly(second, stray));
            try (Socket open = taken.get(10, TimeUnit.SECONDS)) {
                assertThat(answer).isNotDone();
                var refused = answer.get(30, TimeUnit.SECONDS);
                assertThat(refused.statusCode()).isEqualTo(503);
                assertThat(refused.body()).contains("worker_unreachable", stray.id());
            }
        } finally {
            move(stray, "worker-1");
            here.sql("delete from worker where id = 'worker-8'");
            near.kill(stray.id());
        }
    }

    /** A connection over which the beginning of a request has come. */
    private static Socket takes(ServerSocket server) {
        try {
            Socket taken = server.accept();
            taken.getInputStream().read();
            return taken;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HttpResponse<String> askQuietly(LocalServer server, E2bClient.Sandbox who) {
        try {
            return ask(server, who);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void move(E2bClient.Sandbox moved, String worker) throws Exception {
        here.sql("update sandbox set worker_id = '" + worker + "' where id = '" + moved.id() + "'");
    }

    @Test
    void namesARequestAlikeOnBothNodes() throws Exception {
        String id = "across-" + UUID.randomUUID();
        Response answer =
                given().header("X-API-Key", key)
                        .header("X-Request-Id", id)
                        .get(address("/sessions/" + sandbox.id() + "/processes"));
        assertThat(answer.header("X-Request-Id")).isEqualTo(id);
    }

    @Test
    void carriesTheUnmodifiedPackage() throws Exception {
        SdkPrograms.pass(
                second.api(),
                FULL,
                FULL
                        ? List.of(
                                "test_commands.py",
                                "test_files.py",
                                "test_pty.py",
                                "test_watch.py",
                                "test_volume.py",
                                "test_code_interpreter.py",
                                "test_signing.py")
                        : List.of("test_pty.py", "test_watch.py"));
    }

    private static HttpResponse<String> get(LocalServer server, String path, int port)
            throws Exception {
        return HTTP.send(request(server, path, port).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(LocalServer server, String path, int port) {
        return HttpRequest.newBuilder(server.api().resolve(path))
                .timeout(Duration.ofSeconds(60))
                .header("E2b-Sandbox-Id", sandbox.id())
                .header("E2b-Sandbox-Port", Integer.toString(port));
    }

    private static String address(String path) {
        return URI.create(second.api() + "/api/v1/projects/" + there.project()) + path;
    }

    private static void write(Socket socket, String text) throws Exception {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String sha256(byte[] content) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    }
}
