package dev.holdfast.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.Sdk;
import dev.holdfast.run.SharedServer;
import io.restassured.RestAssured;
import jakarta.json.Json;
import jakarta.json.JsonStructure;
import jakarta.json.JsonValue;
import jakarta.json.stream.JsonGenerator;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The document of the native API, and an integration that has read nothing else. */
class OpenApiIT {
    private static final String RENEW = "mvn verify -Dit.test=OpenApiIT -Dholdfast.openapi=write";
    private static final Path TOOLS = Path.of("target/sdk/fuzz");
    private static final Path PROGRAM = Path.of("target/sdk/client");
    private static final Path COMMITTED = Path.of("openapi/api-v1.json");

    private static OwnProject project;

    @BeforeAll
    static void lays() throws Exception {
        SharedServer.get();
        project = OwnProject.make("integration");
        Sdk.copy(Path.of("src/test/sdk/fuzz"), TOOLS);
        Sdk.copy(Path.of("src/test/sdk/client"), PROGRAM);
        Sdk.makePython(TOOLS);
    }

    @Test
    void servedDocumentIsTheCommittedOne() throws IOException {
        var served = read(RestAssured.get(SharedServer.api() + "/openapi?format=JSON").asString());
        if ("write".equals(System.getProperty("holdfast.openapi"))) {
            Files.createDirectories(COMMITTED.getParent());
            Files.writeString(COMMITTED, pretty(served));
        }

        var committed = read(Files.readString(COMMITTED));

        assertThat(served.asJsonObject().getString("openapi")).startsWith("3.1.");
        assertThat(Json.createDiff(committed, served).toJsonArray())
                .as(
                        () ->
                                "The server describes itself otherwise than "
                                        + COMMITTED
                                        + ", at "
                                        + places(committed, served)
                                        + ". If that is meant: "
                                        + RENEW)
                .isEmpty();
    }

    @Test
    void committedDocumentIsValid() throws Exception {
        run("validate", "venv/bin/openapi-spec-validator", COMMITTED.toAbsolutePath().toString());
    }

    @Test
    @Tag("R2")
    @Tag("R14")
    @Tag("R15")
    @Tag("R28")
    @Tag("R47")
    @Tag("R54")
    @Tag("R55")
    @Tag("R64")
    @Tag("R69")
    @Tag("R104")
    @Tag("R154")
    void integrationIsWrittenFromTheDocumentAlone() throws Exception {
        var key = project.everything();
        var client = new E2bClient(SharedServer.api(), key);
        var sandbox = client.create("base", Duration.ofMinutes(10));
        var environment = new HashMap<String, String>();
        environment.put("HOLDFAST_URL", SharedServer.api().toString());
        environment.put("HOLDFAST_API_KEY", key);
        environment.put("HOLDFAST_PROJECT", project.slug());
        environment.put("HOLDFAST_SANDBOX", sandbox.id());

        var said =
                run(
                        "generate",
                        "venv/bin/openapi-python-client",
                        "generate",
                        "--path",
                        COMMITTED.toAbsolutePath().toString(),
                        "--output-path",
                        PROGRAM.resolve("holdfast_client").toAbsolutePath().toString(),
                        "--config",
                        PROGRAM.resolve("generator.yaml").toAbsolutePath().toString(),
                        "--meta",
                        "none",
                        "--overwrite");
        assertThat(said).doesNotContainIgnoringCase("warning").doesNotContainIgnoringCase("error");

        try {
            run(
                    "integration",
                    environment,
                    "venv/bin/python",
                    PROGRAM.resolve("integration.py").toAbsolutePath().toString());
        } finally {
            client.kill(sandbox.id());
        }
    }

    private static String run(String name, String... command) throws Exception {
        return run(name, Map.of(), command);
    }

    private static String run(String name, Map<String, String> environment, String... command)
            throws Exception {
        var log = TOOLS.resolve(name + ".log");
        var more = new HashMap<>(environment);
        // The generator formats what it has made with a program that lies beside it.
        more.put("PATH", TOOLS.resolve("venv/bin").toAbsolutePath() + ":" + System.getenv("PATH"));
        int code = Sdk.execute(TOOLS, Duration.ofMinutes(2), log, more, command);
        assertThat(code).as(() -> Sdk.read(log)).isZero();
        return Sdk.read(log);
    }

    private static JsonStructure read(String text) {
        try (var reader = Json.createReader(new StringReader(text))) {
            return reader.read();
        }
    }

    private static String pretty(JsonValue value) {
        var text = new StringWriter();
        try (var writer =
                Json.createWriterFactory(Map.of(JsonGenerator.PRETTY_PRINTING, true))
                        .createWriter(text)) {
            writer.write(value);
        }
        return text.toString().strip() + "\n";
    }

    private static String places(JsonStructure committed, JsonStructure served) {
        return Json.createDiff(committed, served).toJsonArray().stream()
                .map(JsonValue::asJsonObject)
                .map(each -> each.getString("op") + " " + each.getString("path"))
                .distinct()
                .limit(30)
                .collect(Collectors.joining(", "));
    }
}
