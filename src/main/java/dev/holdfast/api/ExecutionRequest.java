package dev.holdfast.api;

import dev.holdfast.job.Job;
import dev.holdfast.job.Order;
import dev.holdfast.problem.Problem;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What an execution is told.
 *
 * @param parameters by name; a text, a number or a flag each
 */
public record ExecutionRequest(JsonObject parameters) {

    Order order(Job job) {
        return new Order(job, parameters == null ? Map.of() : texts(parameters));
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
