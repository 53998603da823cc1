package dev.holdfast.template;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** The native API's templates, as a Java test needs them. */
public final class TemplateClient {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI api;
    private final String key;
    private final String project;
    private final URI base;

    public TemplateClient(URI api, String key) {
        this.api = api;
        this.key = key;
        var answer = send(to(URI.create(api + "/teams")).GET());
        this.project = new JsonPath(answer.body()).getString("[0].teamID");
        this.base = URI.create(api + "/api/v1/projects/" + project + "/templates");
    }

    public String project() {
        return project;
    }

    public HttpResponse<String> list() {
        return send(to(base).GET());
    }

    public HttpResponse<String> get(String reference) {
        return send(to(URI.create(base + "/" + reference)).GET());
    }

    public HttpResponse<String> delete(String reference) {
        return send(to(URI.create(base + "/" + reference)).DELETE());
    }

    public CompletableFuture<HttpResponse<String>> askToDelete(String reference) {
        return http.sendAsync(
                to(URI.create(base + "/" + reference)).DELETE().build(), BodyHandlers.ofString());
    }

    public HttpResponse<String> create(String query, Path archive) throws IOException {
        return create(query, "application/x-tar", BodyPublishers.ofFile(archive));
    }

    public HttpResponse<String> create(String query, String type, BodyPublisher archive) {
        return send(to(URI.create(base + "?" + query)).header("Content-Type", type).POST(archive));
    }

    public CompletableFuture<HttpResponse<String>> askToCreate(
            String query, BodyPublisher archive) {
        return http.sendAsync(
                to(URI.create(base + "?" + query))
                        .header("Content-Type", "application/x-tar")
                        .POST(archive)
                        .build(),
                BodyHandlers.ofString());
    }

    /** Begins an upload that does not end, with a key of one's own. */
    public Socket begin(String query, long length, String shown) throws IOException {
        var socket = new Socket(api.getHost(), api.getPort());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        var head =
                """
                POST %s?%s HTTP/1.1
                Host: localhost
                X-API-Key: %s
                Content-Type: application/x-tar
                Content-Length: %d

                the begin of it"""
                        .formatted(base.getPath(), query, shown, length);
        socket.getOutputStream()
                .write(head.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    public Socket begin(String query) throws IOException {
        return begin(query, 1 << 20, key);
    }

    /** The template, once its build is over. */
    public JsonPath built(HttpResponse<String> accepted) throws InterruptedException {
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(202);
        var id = new JsonPath(accepted.body()).getString("id");
        assertThat(accepted.headers().firstValue("Location").orElse("")).endsWith("/" + id);
        for (var end = Instant.now().plus(PATIENCE); ; Thread.sleep(100)) {
            var template = new JsonPath(get(id).body());
            if (!"BUILDING".equals(template.getString("state"))) {
                return template;
            }
            assertThat(Instant.now()).as("still being built").isBefore(end);
        }
    }

    private HttpRequest.Builder to(URI address) {
        return HttpRequest.newBuilder(address).timeout(PATIENCE).header("X-API-Key", key);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        return http.sendAsync(request.build(), BodyHandlers.ofString()).join();
    }
}
