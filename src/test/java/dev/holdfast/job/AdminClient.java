package dev.holdfast.job;

import static io.restassured.RestAssured.given;

import dev.holdfast.api.NativeClient;
import dev.holdfast.run.LocalServer;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/** Speaks the native API as whoever administers the service. */
public final class AdminClient {

    private final URI api;
    private final String key;

    public AdminClient(LocalServer server) throws IOException {
        this(server.api(), server.adminKey());
    }

    public AdminClient(URI api, String key) {
        this.api = api;
        this.key = key;
    }

    public Response get(String path) {
        return call().get(address(path));
    }

    public Response post(String path, Map<String, ?> body) {
        return call().contentType("application/json")
                .body(NativeClient.json(body))
                .post(address(path));
    }

    public Response put(String path) {
        return call().put(address(path));
    }

    public Response delete(String path) {
        return call().delete(address(path));
    }

    /** An order without a body. */
    public Response post(String path) {
        return call().post(address(path));
    }

    private RequestSpecification call() {
        return given().urlEncodingEnabled(false).header("X-API-Key", key);
    }

    private String address(String path) {
        return api + "/api/v1/admin" + path;
    }
}
