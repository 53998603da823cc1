package dev.holdfast.api;

import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.Sdk;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Calls made up from the document of the native API: whatever is sent, the answer is one that the
 * document has, in status, media type, shape and reason.
 */
class ApiFuzzIT {
    private static final Path PLACE = Path.of("target/sdk/fuzz");
    private static final Path DOCUMENT = Path.of("openapi/api-v1.json");
    private static final Set<String> VERBS = Set.of("get", "put", "post", "delete", "patch");

    /** Of each part in the short run: a busy machine is hardly under way when its time is over. */
    private static final int LEAST = 1;

    @Test
    void everyAnswerIsADocumentedOne() throws Exception {
        SharedServer.get();
        Sdk.copy(Path.of("src/test/sdk/fuzz"), PLACE);
        Sdk.makePython(PLACE);
        var project = OwnProject.make("fuzz");
        var key = project.everything();
        boolean full = Integer.getInteger("holdfast.repeat", 2) >= 10;
        int seconds = full ? 450 : 5;
        var environment = new HashMap<String, String>();
        environment.put("SCHEMATHESIS_HOOKS", "native");
        environment.put("E2B_API_URL", SharedServer.api().toString());
        environment.put("E2B_API_KEY", key);
        environment.put("HOLDFAST_ADMIN_KEY", SharedServer.adminKey());
        environment.put("HOLDFAST_DESCRIPTION", DOCUMENT.toAbsolutePath().toString());
        environment.put("HOLDFAST_PROJECT", project.id());
        environment.put("HOLDFAST_VICTIM", OwnProject.make("victim").id());
        // In the order of the document the service's own come first, and would take all the time.
        int selected = 0;
        for (var part : List.of("^/api/v1/admin/", "^/api/v1/projects")) {
            var said = fuzz(part, seconds, full, environment);
            int all = counted("Selected: (\\d+)", said);
            assertThat(counted("Tested: (\\d+)", said))
                    .as(said)
                    .isGreaterThanOrEqualTo(full ? all : LEAST);
            selected += all;
        }
        assertThat(selected).as("the parts are the whole").isEqualTo(operations());

        empty(project);
        var client = new E2bClient(SharedServer.api(), key);
        client.sandboxes().forEach(client::kill);
        client.snapshots().forEach(each -> client.deleteSnapshot(each.id()));
        assertThat(client.sandboxes()).isEmpty();
    }

    /** What it has set may have filled the trash. */
    private static void empty(OwnProject project) {
        var key = project.everything();
        var path = "/projects/" + project.id();
        expect(200, OwnProject.ask(key, "PATCH", path, Map.of("trashSeconds", 0)));
        expect(200, OwnProject.ask(key, "DELETE", path + "/trash", null));
    }

    private static int operations() {
        var paths = JsonPath.from(DOCUMENT.toFile()).<String, Map<String, ?>>getMap("paths");
        return (int)
                paths.values().stream()
                        .flatMap(path -> path.keySet().stream())
                        .filter(VERBS::contains)
                        .count();
    }

    private static int counted(String what, String said) {
        var found = Pattern.compile(what).matcher(said);
        assertThat(found.find()).as(said).isTrue();
        return Integer.parseInt(found.group(1));
    }

    private static String fuzz(
            String paths, int seconds, boolean full, Map<String, String> environment)
            throws Exception {
        var log = PLACE.resolve(paths.replaceAll("[^a-z]", "") + ".log");
        int code =
                Sdk.execute(
                        PLACE,
                        Duration.ofSeconds(seconds * 2L + 300),
                        log,
                        environment,
                        "venv/bin/st",
                        "run",
                        DOCUMENT.toAbsolutePath().toString(),
                        "--url=" + SharedServer.api(),
                        "--include-path-regex=" + paths,
                        full ? "--phases=examples,coverage,fuzzing" : "--phases=coverage",
                        "--checks=is_documented,not_a_server_error,status_code_conformance,"
                                + "content_type_conformance,response_schema_conformance,"
                                + "response_headers_conformance",
                        "--max-time=" + seconds,
                        "--request-timeout=60",
                        "--continue-on-failure",
                        "--generation-allow-x00=true",
                        "--generation-database=none",
                        "--suppress-health-check=all",
                        "--warnings=off",
                        "--no-color");

        var said = Sdk.read(log);
        assertThat(code).as(said).isZero();
        return said;
    }
}
