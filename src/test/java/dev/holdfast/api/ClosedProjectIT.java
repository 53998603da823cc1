package dev.holdfast.api;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.run.Management;
import dev.holdfast.run.SharedServer;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whatever proves that somebody may do something proves nothing once its project is closed. */
class ClosedProjectIT {

    private static final Duration AT_ONCE = Duration.ofSeconds(3);

    private final OwnProject project = OwnProject.make("closed");
    private final String key = project.everything();
    private final E2bClient client = OwnProject.client(key);

    @Test
    void takesNoCredentialOfAnyKindAndTakesThemAgainWhenItIsReopened() throws Exception {
        Sandbox sandbox = client.open(Map.of("templateID", "base", "timeout", 600, "secure", true));
        client.write(sandbox, "/home/user/secret", "secret");
        String volume =
                given().header("X-API-Key", key)
                        .contentType("application/json")
                        .body("{\"name\": \"kept\"}")
                        .post(SharedServer.api() + "/volumes")
                        .jsonPath()
                        .getString("volumeID");
        String token =
                given().header("X-API-Key", key)
                        .get(SharedServer.api() + "/volumes/" + volume)
                        .jsonPath()
                        .getString("token");
        Response signedIn = signIn();
        assertThat(signedIn.statusCode()).as(signedIn.asString()).isEqualTo(200);
        String cookie = signedIn.header("Set-Cookie").replaceFirst(";.*", "");
        assertThat(signedIn.jsonPath().getString("csrf")).isNotBlank();

        assertThat(file(sandbox).statusCode()).isEqualTo(200);
        assertThat(signed(sandbox).asString()).isEqualTo("secret");
        assertThat(content(volume, token).statusCode()).isEqualTo(200);
        assertThat(list(cookie).statusCode()).isEqualTo(200);

        try (Management management = new Management(SharedServer.get())) {
            closes(management, sandbox, volume, token, cookie);
        }

        expect(200, service("/reopen"));
        assertThat(content(volume, token).statusCode()).isEqualTo(200);
        assertThat(list(cookie).statusCode()).isEqualTo(200);
        assertThat(file(sandbox).statusCode()).as("what has ended stays so").isEqualTo(502);
        given().header("X-API-Key", key).delete(at("/volumes/" + volume));
        expect(200, service("/close"));
    }

    private void closes(
            Management management, Sandbox sandbox, String volume, String token, String cookie)
            throws Exception {
        // Its machine is told to end by and by; what it proves ends before that.
        management.pauseQueue("holdfast.runtime", true);
        try {
            expect(200, service("/close"));
            for (Response refused :
                    List.of(
                            given().header("X-API-Key", key).get(at("/snapshots")),
                            given().header("X-API-Key", key).get(at("/volumes")),
                            content(volume, token),
                            upload(volume, token),
                            list(cookie),
                            signIn())) {
                assertRefused(403, "project_closed", refused);
            }
            await(
                    "its sandbox's token is refused",
                    AT_ONCE,
                    () -> isClosed(file(sandbox)) && isClosed(signed(sandbox)));
            assertThat(isClosed(write(sandbox))).isTrue();
            assertThat(withToken(sandbox, "wrong").get(at("/files?path=secret")).statusCode())
                    .as("to a stranger it is a sandbox that is not there")
                    .isEqualTo(502);
        } finally {
            management.pauseQueue("holdfast.runtime", false);
        }
    }

    private static boolean isClosed(Response answer) {
        return answer.statusCode() == 403 && answer.asString().contains("\"project_closed\"");
    }

    private Response service(String what) {
        return OwnProject.service("POST", "/admin/projects/" + project.id() + what, "{}");
    }

    private Response signIn() {
        return given().contentType("application/json")
                .header("Origin", SharedServer.api().toString())
                .body(NativeClient.json(Map.of("key", key)))
                .post(at("/console/sign-in"));
    }

    private Response list(String cookie) {
        return given().header("Cookie", cookie)
                .get(at("/api/v1/projects/" + project.id() + "/volumes"));
    }

    private static Response content(String volume, String token) {
        return given().header("Authorization", "Bearer " + token)
                .get(at("/volumecontent/" + volume + "/dir?path=/"));
    }

    private static Response upload(String volume, String token) {
        return given().header("Authorization", "Bearer " + token)
                .contentType("application/octet-stream")
                .body("x".getBytes())
                .put(at("/volumecontent/" + volume + "/file?path=/x"));
    }

    private static Response file(Sandbox sandbox) {
        return withToken(sandbox, sandbox.token()).get(at("/files?path=secret"));
    }

    private static Response write(Sandbox sandbox) {
        return withToken(sandbox, sandbox.token())
                .multiPart("file", "x", "x".getBytes())
                .post(at("/files?path=x"));
    }

    private static Response signed(Sandbox sandbox) throws GeneralSecurityException {
        byte[] hash =
                MessageDigest.getInstance("SHA-256")
                        .digest(
                                ("secret:read::" + sandbox.token())
                                        .getBytes(StandardCharsets.UTF_8));
        String signature =
                URLEncoder.encode(
                        "v1_" + Base64.getEncoder().withoutPadding().encodeToString(hash),
                        StandardCharsets.UTF_8);
        return to(sandbox).get(at("/files?path=secret&signature=" + signature));
    }

    private static RequestSpecification withToken(Sandbox sandbox, String token) {
        return to(sandbox).header("X-Access-Token", token);
    }

    private static RequestSpecification to(Sandbox sandbox) {
        return given().urlEncodingEnabled(false)
                .header("E2b-Sandbox-Id", sandbox.id())
                .header("E2b-Sandbox-Port", "49983");
    }

    private static String at(String path) {
        return SharedServer.api() + path;
    }
}
