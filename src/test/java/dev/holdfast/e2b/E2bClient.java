package dev.holdfast.e2b;

import groovy.json.JsonOutput;
import io.restassured.path.json.JsonPath;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The E2B-shaped HTTP as a Java test needs it: what the SDKs send, without an SDK. The server's
 * refusals are {@link E2bRefusal}; a connection that breaks is an {@link UncheckedIOException}.
 */
public final class E2bClient {

    /** A sandbox and the token of its data plane. */
    public record Sandbox(String id, String token) {}

    public record Snapshot(String id, List<String> names) {
        public Snapshot {
            names = names == null ? List.of() : List.copyOf(names);
        }
    }

    public record Result(int exitCode, String stdout, String stderr) {}

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration CAPTURE_PATIENCE = Duration.ofSeconds(290);
    private static final int END_OF_STREAM = 2;

    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(5))
                    .build();
    private final URI base;
    private final String apiKey;
    private final Duration patience;
    private final Duration capturePatience;

    public E2bClient(URI base, String apiKey) {
        this(base, apiKey, PATIENCE, CAPTURE_PATIENCE);
    }

    /** One that waits no longer than this for any answer. */
    public E2bClient(URI base, String apiKey, Duration patience) {
        this(base, apiKey, patience, patience);
    }

    private E2bClient(URI base, String apiKey, Duration patience, Duration capturePatience) {
        this.base = base;
        this.apiKey = apiKey;
        this.patience = patience;
        this.capturePatience = capturePatience;
    }

    public Sandbox create(String template, Duration timeout) {
        return create(template, timeout, Map.of());
    }

    public Sandbox create(String template, Duration timeout, Map<String, String> metadata) {
        return open(
                Map.of(
                        "templateID", template,
                        "timeout", timeout.toSeconds(),
                        "metadata", metadata));
    }

    /** A create with a body of the caller's own. */
    public Sandbox open(Map<String, ?> body) {
        return sandbox(call(201, api("/v2/sandboxes").POST(json(body)).timeout(capturePatience)));
    }

    /** A create that may be repeated under its key, as it is answered. */
    public CompletableFuture<HttpResponse<String>> askToOpen(Map<String, ?> body, String key) {
        return http.sendAsync(
                api("/v2/sandboxes")
                        .header("Idempotency-Key", key)
                        .POST(json(body))
                        .timeout(capturePatience)
                        .build(),
                BodyHandlers.ofString());
    }

    public Sandbox connect(String id, Duration timeout) {
        var body = Map.of("timeout", timeout.toSeconds());
        return sandbox(call(200, api("/v2/sandboxes/" + id + "/connect").POST(json(body))));
    }

    /** All that the server says of a sandbox; empty if there is none. */
    public Optional<JsonPath> info(String id) {
        var answer = send(api("/sandboxes/" + id).GET());
        if (answer.statusCode() == 404) {
            return Optional.empty();
        }
        return Optional.of(new JsonPath(expect(200, answer)));
    }

    /** The word of {@code lifecycleState}, or ENDED when the server knows no such sandbox. */
    public String lifecycleState(String id) {
        return info(id).map(json -> json.getString("lifecycleState").toUpperCase()).orElse("ENDED");
    }

    public List<String> sandboxes() {
        return new JsonPath(call(200, api("/v2/sandboxes").GET())).getList("sandboxID");
    }

    /** True when it was there to be killed. */
    public boolean kill(String id) {
        return deleted(api("/sandboxes/" + id));
    }

    /** A control call about a sandbox, as it is answered; it fails when the connection breaks. */
    public CompletableFuture<HttpResponse<String>> ask(
            String id, String operation, Map<String, ?> body) {
        var request =
                api("/sandboxes/" + id + "/" + operation)
                        .POST(json(body))
                        .timeout(capturePatience)
                        .build();
        return http.sendAsync(request, BodyHandlers.ofString());
    }

    /** A kill, as it is answered. */
    public CompletableFuture<HttpResponse<String>> askToKill(String id) {
        return http.sendAsync(
                api("/sandboxes/" + id).DELETE().timeout(capturePatience).build(),
                BodyHandlers.ofString());
    }

    public void pause(Sandbox sandbox) {
        expect(204, join(ask(sandbox.id(), "pause", Map.of())));
    }

    /** Connects to a paused sandbox. */
    public Sandbox resume(Sandbox sandbox, Duration timeout) {
        return sandbox(
                expect(
                        201,
                        join(
                                ask(
                                        sandbox.id(),
                                        "connect",
                                        Map.of("timeout", timeout.toSeconds())))));
    }

    public Snapshot snapshot(Sandbox sandbox) {
        return snapshot(expect(201, join(snapshotAsync(sandbox, null))));
    }

    public Snapshot snapshot(Sandbox sandbox, String name) {
        return snapshot(expect(201, join(snapshotAsync(sandbox, name))));
    }

    /** The bare answer, whenever it comes; it fails when the connection breaks. */
    public CompletableFuture<HttpResponse<String>> snapshotAsync(Sandbox sandbox, String name) {
        Map<String, ?> body = name == null ? Map.of() : Map.of("name", name);
        var request =
                api("/sandboxes/" + sandbox.id() + "/snapshots")
                        .POST(json(body))
                        .timeout(capturePatience)
                        .build();
        return http.sendAsync(request, BodyHandlers.ofString());
    }

    public List<Snapshot> snapshots() {
        var json = new JsonPath(call(200, api("/snapshots").GET()));
        List<Map<String, Object>> rows = json.getList("$");
        var found = new ArrayList<Snapshot>();
        for (int i = 0; i < rows.size(); i++) {
            found.add(
                    new Snapshot(
                            json.getString("[" + i + "].snapshotID"),
                            json.getList("[" + i + "].names")));
        }
        return found;
    }

    /** True when it was there to be deleted. */
    public boolean deleteSnapshot(String reference) {
        return deleted(api("/templates/" + encoded(reference)));
    }

    /** Runs a shell command to its end. */
    public Result run(Sandbox sandbox, String command) {
        var stdout = new ByteArrayOutputStream();
        var stderr = new ByteArrayOutputStream();
        try (var events = start(sandbox, command, patience)) {
            for (; ; ) {
                JsonPath message = events.next();
                collect(message.getString("event.data.stdout"), stdout);
                collect(message.getString("event.data.stderr"), stderr);
                if (message.get("event.end") != null) {
                    Integer code = message.get("event.end.exitCode");
                    return new Result(code == null ? 0 : code, text(stdout), text(stderr));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command that must succeed; its output. */
    public String must(Sandbox sandbox, String command) {
        Result result = run(sandbox, command);
        if (result.exitCode() != 0) {
            throw new AssertionError(command + " ended with " + result);
        }
        return result.stdout();
    }

    /** Starts a shell command and leaves it; a client that goes does not end it. */
    public int startInBackground(Sandbox sandbox, String command) {
        try (var events = start(sandbox, command, Duration.ZERO)) {
            return events.next().getInt("event.start.pid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs a command and hands its standard output on as it comes, until the command ends. Reads
     * the messages by a quicker way than the others, for many streams at once.
     *
     * @throws E2bRefusal when the stream ends before the command
     */
    public int follow(Sandbox sandbox, String command, Consumer<String> output) {
        try (var events = start(sandbox, command, Duration.ZERO)) {
            for (; ; ) {
                JsonObject event =
                        Json.createReader(new StringReader(events.text()))
                                .readObject()
                                .getJsonObject("event");
                JsonObject data = event.getJsonObject("data");
                if (data != null && data.containsKey("stdout")) {
                    byte[] piece = Base64.getDecoder().decode(data.getString("stdout"));
                    output.accept(new String(piece, StandardCharsets.UTF_8));
                }
                JsonObject ended = event.getJsonObject("end");
                if (ended != null) {
                    return ended.getInt("exitCode", 0);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<Integer> processes(Sandbox sandbox) {
        var answer =
                call(
                        200,
                        envd(sandbox, "/process.Process/List")
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString("{}")));
        List<Integer> pids = new JsonPath(answer).getList("processes.pid");
        return pids == null ? List.of() : pids;
    }

    public void write(Sandbox sandbox, String path, String content) {
        write(sandbox, path, content.getBytes(StandardCharsets.UTF_8));
    }

    public void write(Sandbox sandbox, String path, byte[] content) {
        call(
                200,
                envd(sandbox, "/files?path=" + encoded(path))
                        .header("Content-Type", "application/octet-stream")
                        .POST(BodyPublishers.ofByteArray(content)));
    }

    /** Reads a file of so many bytes and keeps nothing of it. */
    public void readThrough(Sandbox sandbox, String path, long size) {
        try {
            var answer =
                    http.send(
                            envd(sandbox, "/files?path=" + encoded(path)).GET().build(),
                            BodyHandlers.ofInputStream());
            try (var body = answer.body()) {
                long read = body.transferTo(OutputStream.nullOutputStream());
                if (answer.statusCode() != 200 || read != size) {
                    throw new E2bRefusal(answer.statusCode(), read + " bytes of " + size);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    public String read(Sandbox sandbox, String path) {
        return call(200, envd(sandbox, "/files?path=" + encoded(path)).GET());
    }

    /** Whether its data plane is there; one that is paused or over has none. */
    public boolean isThere(Sandbox sandbox) {
        int status = send(envd(sandbox, "/health").GET()).statusCode();
        if (status != 204 && status != 502) {
            throw new IllegalStateException("health answers " + status);
        }
        return status == 204;
    }

    private Events start(Sandbox sandbox, String command, Duration lifetime) throws IOException {
        var shell = Map.of("cmd", "/bin/bash", "args", List.of("-l", "-c", command));
        var message = JsonOutput.toJson(Map.of("process", shell, "stdin", false));
        var request =
                envd(sandbox, "/process.Process/Start")
                        .header("Content-Type", "application/connect+json")
                        .header("Connect-Protocol-Version", "1")
                        .POST(BodyPublishers.ofByteArray(envelope(message)));
        if (!lifetime.isZero()) {
            request.header("Connect-Timeout-Ms", Long.toString(lifetime.toMillis()));
        }
        HttpResponse<InputStream> answer;
        try {
            answer = http.send(request.build(), BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        if (answer.statusCode() != 200) {
            throw new E2bRefusal(
                    answer.statusCode(),
                    new String(answer.body().readAllBytes(), StandardCharsets.UTF_8));
        }
        return new Events(new DataInputStream(answer.body()));
    }

    private static byte[] envelope(String message) {
        byte[] payload = message.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(5 + payload.length)
                .put((byte) 0)
                .putInt(payload.length)
                .put(payload)
                .array();
    }

    /** The messages of one stream. A stream that ends without the message awaited is a failure. */
    private record Events(DataInputStream in) implements AutoCloseable {
        JsonPath next() throws IOException {
            return new JsonPath(text());
        }

        String text() throws IOException {
            int flags = in.readUnsignedByte();
            String payload = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
            if (flags == END_OF_STREAM) {
                throw new E2bRefusal(200, payload);
            }
            return payload;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    private static void collect(String base64, ByteArrayOutputStream into) {
        if (base64 != null) {
            into.writeBytes(Base64.getDecoder().decode(base64));
        }
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private HttpRequest.Builder api(String path) {
        return HttpRequest.newBuilder(base.resolve(path))
                .timeout(patience)
                .header("X-API-KEY", apiKey)
                .header("Content-Type", "application/json");
    }

    private HttpRequest.Builder envd(Sandbox sandbox, String path) {
        return HttpRequest.newBuilder(base.resolve(path))
                .timeout(patience)
                .header("E2b-Sandbox-Id", sandbox.id())
                .header("E2b-Sandbox-Port", "49983")
                .header("X-Access-Token", sandbox.token());
    }

    private boolean deleted(HttpRequest.Builder request) {
        var answer = send(request.DELETE());
        if (answer.statusCode() == 404) {
            return false;
        }
        expect(204, answer);
        return true;
    }

    private String call(int status, HttpRequest.Builder request) {
        return expect(status, send(request));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static String expect(int status, HttpResponse<String> answer) {
        if (answer.statusCode() != status) {
            throw new E2bRefusal(answer.statusCode(), answer.body());
        }
        return answer.body();
    }

    private static HttpResponse<String> join(CompletableFuture<HttpResponse<String>> answer) {
        return answer.join();
    }

    private static Sandbox sandbox(String body) {
        var json = new JsonPath(body);
        return new Sandbox(json.getString("sandboxID"), json.getString("envdAccessToken"));
    }

    /** What a finished capture answered. */
    public static Snapshot snapshot(String body) {
        var json = new JsonPath(body);
        return new Snapshot(json.getString("snapshotID"), json.getList("names"));
    }

    private static BodyPublisher json(Map<String, ?> body) {
        return BodyPublishers.ofString(JsonOutput.toJson(body));
    }

    private static String encoded(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted", e);
    }
}
