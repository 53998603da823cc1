package dev.holdfast.api;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A project of a test's own for its volumes. */
final class OwnVolumes {

    private final OwnProject project;
    private final String key;
    private final NativeClient api;

    OwnVolumes(OwnProject project, String key) {
        this.project = project;
        this.key = key;
        this.api = new NativeClient(key);
    }

    /** Its ID. */
    String make(String name, long limit) {
        return expect(201, api.post("/volumes", Map.of("name", name, "limitBytes", limit)))
                .getString("id");
    }

    Response put(String volume, String path, byte[] content, String more) {
        return given().header("X-API-Key", key)
                .contentType("application/octet-stream")
                .body(content)
                .put(address(volume, "/content?path=" + path + more));
    }

    /** Below the files of a volume. */
    String address(String volume, String rest) {
        return SharedServer.api()
                + "/api/v1/projects/"
                + project.id()
                + "/volumes/"
                + volume
                + "/files"
                + rest;
    }

    /** All sandboxes and volumes of the project, and what is left of these on the host. */
    void remove() throws Exception {
        E2bClient client = OwnProject.client(key);
        client.sandboxes().forEach(client::kill);
        client.snapshots().forEach(each -> client.deleteSnapshot(each.id()));
        JsonPath left = expect(200, api.get("/volumes"));
        List<String> ids = left.getList("volumes.id");
        for (String each : ids) {
            await("nothing mounts it", () -> api.delete("/volumes/" + each).statusCode() == 204);
        }
        await(
                "the files are gone, and with them what they count",
                () -> expect(200, api.get("/volumes")).getLong("quota.volumes") == 0);
        assertThat(ids).allSatisfy(each -> assertThat(mountinfo()).doesNotContain(each));
    }

    static String mountinfo() {
        try {
            return Files.readString(Path.of("/proc/self/mountinfo"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
