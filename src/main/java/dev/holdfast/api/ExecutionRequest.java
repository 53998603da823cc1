package dev.holdfast.api;

import dev.holdfast.job.Job;
import dev.holdfast.job.Order;
import dev.holdfast.problem.Problem;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What an execution is told.
 *
 * @param parameters by name; a text, a number or a flag each
 */
@Schema(name = "ExecutionRequest", additionalProperties = Schema.False.class)
public record ExecutionRequest(
        @Schema(
                        implementation = Object.class,
                        type = SchemaType.OBJECT,
                        description = "By name; a text, a number or a flag each",
                        examples = "{\"dryRun\": true}")
                JsonObject parameters) {

    private static final String PARAMETERS = "parameters";

    /** What stands beside the parameters is refused: a dry run that is mistyped would be none. */
    static ExecutionRequest of(JsonValue body) {
        Change.of(body, Set.of(PARAMETERS));
        return new ExecutionRequest(
                body instanceof JsonObject members && members.get(PARAMETERS) != null
                        ? object(members.get(PARAMETERS))
                        : JsonValue.EMPTY_JSON_OBJECT);
    }

    private static JsonObject object(JsonValue value) {
        if (value == JsonValue.NULL) {
            return JsonValue.EMPTY_JSON_OBJECT;
        }
        if (value instanceof JsonObject members) {
            return members;
        }
        throw Problem.invalid(PARAMETERS, "\"parameters\" is a JSON object.");
    }

    Order order(Job job) {
        return new Order(job, texts(parameters));
    }

    private static Map<String, String> texts(JsonObject members) {
        return members.entrySet().stream()
                .collect(
                        Collectors.toMap(
                                Map.Entry::getKey, each -> text(each.getKey(), each.getValue())));
    }

    private static String text(String name, JsonValue value) {
        return switch (value.getValueType()) {
            case STRING -> ((JsonString) value).getString();
            case NUMBER, TRUE, FALSE -> value.toString();
            default ->
                    throw Problem.invalid(
                            name, "A parameter of a job is a text, a number or a flag.");
        };
    }
}
