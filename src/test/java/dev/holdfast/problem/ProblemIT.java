package dev.holdfast.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemIT {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String TAKES_JSON = "/api-keys";

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(SharedServer.api() + path))
                .timeout(Duration.ofSeconds(20));
    }

    private static HttpRequest.Builder signed(String path) {
        return request(path).header("X-API-Key", SharedServer.apiKey());
    }

    private static HttpResponse<String> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(BodyPublisher body)
            throws IOException, InterruptedException {
        return send(signed(TAKES_JSON).header("Content-Type", "application/json").POST(body));
    }

    private static HttpResponse<String> post(String body) throws IOException, InterruptedException {
        return post(BodyPublishers.ofString(body));
    }

    private static BodyPublisher chunked(byte[] body) {
        return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
    }

    private static JsonObject assertProblem(
            HttpResponse<String> response, int status, String reason) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type").orElse(""))
                .startsWith("application/json");
        try (var reader = Json.createReader(new StringReader(response.body()))) {
            var json = reader.readObject();
            assertThat(json.getInt("code")).isEqualTo(status);
            assertThat(json.getString("reason")).isEqualTo(reason);
            assertThat(json.getString("message")).isNotBlank();
            assertThat(json.getString("requestId"))
                    .isEqualTo(response.headers().firstValue("X-Request-Id").orElse("none"));
            return json;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nope", "/nope/x.html", "/robots.txt", "/-error", "/health/x"})
    void tellsAnUnknownPathInJson(String path) throws Exception {
        var response = send(request(path).header("Accept", "text/html"));

        assertProblem(response, 404, "not_found");
    }

    @Test
    void tellsAWrongMethodInJsonWithThoseAllowed() throws Exception {
        var response = send(request("/health").PUT(BodyPublishers.noBody()));

        assertProblem(response, 405, "method_not_allowed");
        assertThat(response.headers().firstValue("Allow").orElse("")).contains("GET");
    }

    @Test
    void refusesAnotherMediaTypeInJson() throws Exception {
        var response =
                send(
                        signed(TAKES_JSON)
                                .header("Content-Type", "text/plain")
                                .POST(BodyPublishers.ofString("{}")));

        assertProblem(response, 415, "unsupported_media_type");
    }

    @Test
    void refusesAnotherCharset() throws Exception {
        var response =
                send(
                        signed(TAKES_JSON)
                                .header("Content-Type", "application/json; charset=UTF-16")
                                .POST(BodyPublishers.ofString("{\"name\":\"x\"}")));

        assertProblem(response, 415, "unsupported_media_type");
    }

    @Test
    void refusesATypeOfAnswerWeDoNotHave() throws Exception {
        assertProblem(send(signed("/teams").header("Accept", "image/png")), 406, "not_acceptable");
    }

    @Test
    void refusesATooLargeBodyWhetherOrNotItsLengthIsSaid() throws Exception {
        var body = ("{\"name\":\"" + "x".repeat(1 << 20) + "\"}").getBytes(StandardCharsets.UTF_8);

        var sized = assertProblem(post(BodyPublishers.ofByteArray(body)), 413, "body_too_large");
        var chunked = assertProblem(post(chunked(body)), 413, "body_too_large");

        assertThat(sized.getInt("limit")).isEqualTo(1 << 20);
        assertThat(chunked.getInt("limit")).isEqualTo(1 << 20);
    }

    @Test
    void doesNotHoldTheBodyOfAStranger() throws Exception {
        var response =
                send(
                        request(TAKES_JSON)
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString("{bad")));

        assertProblem(response, 401, "unauthenticated");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{bad",
                "[]",
                "\"x\"",
                "{\"name\":{}}",
                "{\"name\":\"x\",\"permissions\":7}",
                "{\"name\":\"x\\u0000\"}",
                "{\"name\":\"x\"",
                "{\"name\":\"x\",\"other\":[1",
                "{\"name\":\"x\",\"other\":{\"a\":1",
                "{\"name\":\"x\"} x",
                "null",
                ""
            })
    void refusesABodyItCannotRead(String body) throws Exception {
        assertProblem(post(body), 400, "invalid_parameter");
    }

    @Test
    void refusesABodyThatIsNestedWithoutEnd() throws Exception {
        assertProblem(post("{\"other\":" + "[".repeat(200_000)), 400, "invalid_parameter");
    }

    @Test
    void refusesBytesThatAreNotUtf8() throws Exception {
        var body = "{\"name\":\"\u00ff\"}".getBytes(StandardCharsets.ISO_8859_1);

        var json = assertProblem(post(chunked(body)), 400, "invalid_parameter");

        assertThat(json.getString("message")).contains("UTF-8");
    }

    @Test
    void namesTheMemberThatIsInvalid() throws Exception {
        var missing = assertProblem(post("{}"), 400, "invalid_parameter");
        var longName = "{\"name\":\"" + "x".repeat(129) + "\"}";
        var tooLong = assertProblem(post(longName), 400, "invalid_parameter");

        assertThat(missing.getString("parameter")).isEqualTo("name");
        assertThat(missing.getString("message")).contains("'name' is missing");
        assertThat(tooLong.getString("message")).contains("at most 128");
    }

    @Test
    void takesAChunkedBodyAndOneWithoutContentType() throws Exception {
        var body = "{\"name\":\"chunked \u00e9\",\"unknown\":1}".getBytes(StandardCharsets.UTF_8);

        assertThat(post(chunked(body)).statusCode()).isEqualTo(201);
        assertThat(send(signed(TAKES_JSON).POST(chunked(body))).statusCode()).isEqualTo(201);
    }

    @Test
    void keepsASaneRequestIdAndReplacesAnother() throws Exception {
        var kept = send(request("/nope").header("X-Request-Id", "run-42.a"));
        var replaced = send(request("/nope").header("X-Request-Id", "<script>"));

        assertThat(assertProblem(kept, 404, "not_found").getString("requestId"))
                .isEqualTo("run-42.a");
        assertThat(assertProblem(replaced, 404, "not_found").getString("requestId"))
                .isNotEqualTo("<script>");
        assertThat(send(request("/health")).headers().firstValue("X-Request-Id")).isPresent();
    }

    @Test
    void refusesANulInTheAddress() throws Exception {
        assertProblem(send(signed("/api-keys/a%00b").DELETE()), 400, "invalid_parameter");
    }

    @Test
    void answersAPreflightFromAnyOriginWithoutCredentials() throws Exception {
        var raw =
                raw(
                        "OPTIONS /api-keys HTTP/1.1\r\nHost: localhost\r\n"
                                + "Origin: https://a.test\r\n"
                                + "Access-Control-Request-Method: POST\r\n"
                                + "Access-Control-Request-Headers: x-api-key,content-type\r\n"
                                + "Connection: close\r\n\r\n");

        assertThat(raw)
                .startsWith("HTTP/1.1 204")
                .contains("Access-Control-Allow-Origin: *")
                .contains("Access-Control-Allow-Headers: x-api-key,content-type")
                .doesNotContain("Allow-Credentials");
    }

    @Test
    void showsErrorsToOtherOriginsToo() throws Exception {
        var response = send(request("/teams").header("Accept", "*/*"));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
        assertThat(response.headers().firstValue("Access-Control-Expose-Headers").orElse(""))
                .contains("X-Next-Token", "X-Total-Running", "Retry-After");
    }

    @Test
    void answersOptionsWithoutAPreflight() throws Exception {
        var response = send(request("/teams").method("OPTIONS", BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Allow").orElse("")).contains("GET");
    }

    @Test
    void survivesAnAddressThatIsBadlyEncoded() throws Exception {
        var raw = raw("GET /api-keys/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(raw).startsWith("HTTP/1.1 4");
    }

    private static String raw(String request) throws IOException {
        var api = SharedServer.api();
        try (var socket = new Socket(api.getHost(), api.getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
