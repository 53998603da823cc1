package dev.holdfast.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import groovy.json.JsonOutput;
import io.restassured.path.json.JsonPath;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Captures of one project over HTTP, in both dialects and with every header. */
final class Native {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI api = SharedServer.api();
    private final String key;
    private final String project;
    private final String slug;

    Native(String key) throws Exception {
        this.key = key;
        var team = json(200, get("/teams"));
        this.project = team.getString("[0].teamID");
        this.slug = team.getString("[0].slug");
    }

    String project() {
        return project;
    }

    String slug() {
        return slug;
    }

    String root() {
        return "/api/v1/projects/" + project;
    }

    CompletableFuture<HttpResponse<String>> get(String path, String... headers) {
        return send(request(path, headers).GET());
    }

    CompletableFuture<HttpResponse<String>> post(
            String path, Map<String, ?> body, String... headers) {
        return send(request(path, headers).POST(BodyPublishers.ofString(JsonOutput.toJson(body))));
    }

    CompletableFuture<HttpResponse<String>> delete(String path) {
        return send(request(path).DELETE());
    }

    /** The native call. */
    CompletableFuture<HttpResponse<String>> capture(
            String sandbox, Map<String, ?> body, String... headers) {
        return post(root() + "/sandboxes/" + sandbox + "/snapshots", body, headers);
    }

    /** The call of the SDKs. */
    CompletableFuture<HttpResponse<String>> captureAsE2b(
            String sandbox, Map<String, ?> body, String... headers) {
        return post("/sandboxes/" + sandbox + "/snapshots", body, headers);
    }

    /** A capture that is under way; its upload ID. */
    String begin(String sandbox, Map<String, ?> body) throws Exception {
        return json(202, capture(sandbox, body, "Prefer", "respond-async")).getString("uploadId");
    }

    CompletableFuture<HttpResponse<String>> cancel(String upload) {
        return post(root() + "/operations/" + upload + "/cancel", Map.of());
    }

    JsonPath operation(String upload) throws Exception {
        return json(200, get(root() + "/operations/" + upload));
    }

    /** The operation when it is over. */
    JsonPath over(String upload) throws Exception {
        var operation = json(200, get(root() + "/operations/" + upload, "Prefer", "wait=50"));
        assertThat(operation.getString("state")).as("after a wait").isNotEqualTo("running");
        return operation;
    }

    void awaitPhase(String upload, String phase) throws Exception {
        var end = Instant.now().plus(PATIENCE);
        for (var seen = ""; !seen.equals(phase); seen = operation(upload).getString("phase")) {
            assertThat(Instant.now()).as("phase %s, not %s", seen, phase).isBefore(end);
        }
    }

    /** A request that its sender gives up. */
    HttpRequest.Builder request(String path, String... headers) {
        var request =
                HttpRequest.newBuilder(api.resolve(path))
                        .timeout(Duration.ofSeconds(290))
                        .header("X-API-KEY", key)
                        .header("Content-Type", "application/json");
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request;
    }

    CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
        return http.sendAsync(request.build(), BodyHandlers.ofString());
    }

    static HttpResponse<String> answer(CompletableFuture<HttpResponse<String>> asked)
            throws Exception {
        return asked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    static JsonPath json(int status, CompletableFuture<HttpResponse<String>> asked)
            throws Exception {
        var answer = answer(asked);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return new JsonPath(answer.body());
    }

    static JsonPath refused(
            int status, String reason, CompletableFuture<HttpResponse<String>> asked)
            throws Exception {
        var json = json(status, asked);
        assertThat(json.getString("reason")).isEqualTo(reason);
        return json;
    }

    static Connection database() throws SQLException {
        return DriverManager.getConnection(SharedServer.get().databaseUrl());
    }

    static int update(String text, Object... values) throws SQLException {
        try (var connection = database();
                var statement = connection.prepareStatement(text)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    /** A capture that cannot come to its end until this is closed: its row is locked. */
    static final class Hold implements AutoCloseable {

        private final Connection connection;

        Hold(String upload) throws SQLException {
            connection = database();
            connection.setAutoCommit(false);
            try (var statement =
                    connection.prepareStatement(
                            "select state from snapshot where upload_id = ?::uuid for update")) {
                statement.setString(1, upload);
                try (var rows = statement.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(1)).isEqualTo("UPLOADING");
                }
            }
        }

        @Override
        public void close() throws SQLException {
            connection.rollback();
            connection.close();
        }
    }
}
