package dev.holdfast.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.problem.Reason;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the document of the native API says of every operation. */
class OpenApiTest {
    private static JsonObject document;

    /** An operation and what it is called in a message. */
    private record Described(String name, JsonObject operation) {}

    @BeforeAll
    static void reads() throws IOException {
        try (var text = Files.newBufferedReader(Path.of("openapi/api-v1.json"));
                var reader = Json.createReader(text)) {
            document = reader.readObject();
        }
    }

    private static Stream<Described> operations() {
        return document.getJsonObject("paths").entrySet().stream()
                .flatMap(
                        path ->
                                path.getValue().asJsonObject().entrySet().stream()
                                        .map(
                                                each ->
                                                        new Described(
                                                                each.getKey().toUpperCase()
                                                                        + " "
                                                                        + path.getKey(),
                                                                each.getValue().asJsonObject())));
    }

    @Test
    void hasEveryMethod() {
        assertThat(operations().map(Described::name).toList())
                .containsExactlyInAnyOrderElementsOf(
                        ApiMethod.of(new ApiApplication())
                                .map(each -> each.verb() + " /api/v1" + each.path())
                                .distinct()
                                .toList());
    }

    @Test
    void everyOperationHasANameOfItsOwnAPlaceAndASummary() {
        var names = new HashSet<String>();
        assertThat(operations())
                .allSatisfy(
                        each -> {
                            var operation = each.operation();
                            assertThat(names.add(operation.getString("operationId")))
                                    .as(each.name())
                                    .isTrue();
                            assertThat(operation.getJsonArray("tags")).as(each.name()).hasSize(1);
                            assertThat(operation.getString("summary")).isNotBlank();
                            assertThat(operation.getString("description")).contains("Needs ");
                        });
    }

    @Test
    void everyParameterIsDescribedAndBounded() {
        assertThat(
                        operations()
                                .flatMap(OpenApiTest::parameters)
                                .filter(each -> !isDescribedAndBounded(each.operation()))
                                .map(Described::name))
                .isEmpty();
    }

    private static boolean isDescribedAndBounded(JsonObject parameter) {
        return !parameter.getString("description", "").isBlank()
                && isBounded(parameter.getJsonObject("schema"));
    }

    private static Stream<Described> parameters(Described described) {
        return Optional.ofNullable(described.operation().getJsonArray("parameters")).stream()
                .flatMap(List::stream)
                .map(JsonValue::asJsonObject)
                .map(each -> new Described(described.name() + " " + each.getString("name"), each));
    }

    private static boolean isBounded(JsonObject schema) {
        return switch (schema.getString("type")) {
            case "string" ->
                    Stream.of("maxLength", "enum", "pattern", "format")
                            .anyMatch(schema::containsKey);
            case "integer" -> schema.containsKey("minimum");
            default -> true;
        };
    }

    @Test
    void everyBodyHasASchemaAndAnExample() {
        assertThat(
                        operations()
                                .flatMap(OpenApiTest::bodies)
                                .filter(each -> !hasSchemaAndExample(each))
                                .map(Described::name))
                .isEmpty();
    }

    private static boolean hasSchemaAndExample(Described body) {
        return body.operation().containsKey("schema")
                && (body.operation().containsKey("example")
                        || body.operation().containsKey("examples")
                        || "binary"
                                .equals(
                                        body.operation()
                                                .getJsonObject("schema")
                                                .getString("format", "")));
    }

    private static Stream<Described> bodies(Described described) {
        var asked = Optional.ofNullable(described.operation().getJsonObject("requestBody"));
        var answers =
                described.operation().getJsonObject("responses").values().stream()
                        .map(JsonValue::asJsonObject)
                        .map(OpenApiTest::answer);
        return Stream.concat(asked.stream(), answers)
                .filter(each -> each.containsKey("content"))
                .flatMap(each -> each.getJsonObject("content").entrySet().stream())
                .map(
                        each ->
                                new Described(
                                        described.name() + " " + each.getKey(),
                                        each.getValue().asJsonObject()));
    }

    private static JsonObject answer(JsonObject said) {
        return said.containsKey("$ref") ? referred(said.getString("$ref")) : said;
    }

    private static JsonObject referred(String reference) {
        var found = document;
        for (var step : reference.substring(2).split("/")) {
            found = found.getJsonObject(step);
        }
        return found;
    }

    @Test
    void everyRefusalIsAProblemWithReasonsOfItsStatus() {
        assertThat(operations())
                .allSatisfy(
                        each -> {
                            var answers = each.operation().getJsonObject("responses");
                            assertThat(answers.keySet())
                                    .as(each.name())
                                    .anyMatch(status -> status.startsWith("2"))
                                    .contains("400", "401", "403", "406", "500", "503");
                            answers.forEach(
                                    (status, said) -> {
                                        if (!status.startsWith("2")) {
                                            refuses(status, answer(said.asJsonObject()));
                                        }
                                    });
                        });
    }

    private static void refuses(String status, JsonObject answer) {
        assertThat(answer.getJsonObject("content").keySet())
                .containsExactly("application/problem+json");
        assertThat(answer.getJsonArray("x-reasons").getValuesAs(JsonString::getString))
                .isNotEmpty()
                .allSatisfy(
                        word ->
                                assertThat(Arrays.stream(Reason.values()))
                                        .anyMatch(
                                                reason ->
                                                        reason.word().equals(word)
                                                                && status.equals(
                                                                        Integer.toString(
                                                                                reason.status()))));
    }

    @Test
    void whatIsRequiredOfASchemaIsAMemberOfIt() {
        assertThat(document.getJsonObject("components").getJsonObject("schemas").entrySet())
                .allSatisfy(
                        each -> {
                            var schema = each.getValue().asJsonObject();
                            if (schema.containsKey("required")) {
                                assertThat(schema.getJsonObject("properties").keySet())
                                        .as(each.getKey())
                                        .containsAll(
                                                schema.getJsonArray("required")
                                                        .getValuesAs(JsonString::getString));
                            }
                        });
    }
}
