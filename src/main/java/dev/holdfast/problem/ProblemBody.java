package dev.holdfast.problem;

import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;

/** A problem as bytes in the dialect of the path it happened at. */
public record ProblemBody(String mediaType, byte[] content) {
    private static final String NATIVE_ROOT = "/api/v1";
    private static final String CONSOLE_ROOT = "/console";
    private static final String TYPE_PREFIX = "urn:holdfast:problem:";

    /**
     * @param rawPath the undecoded path of the request; it alone chooses the dialect
     */
    public static ProblemBody of(Problem problem, String rawPath, String requestId) {
        return isNative(rawPath) || isBelow(rawPath, CONSOLE_ROOT)
                ? rfc9457(problem, requestId)
                : e2b(problem, requestId);
    }

    /** Whether the path belongs to the native API. */
    public static boolean isNative(String rawPath) {
        return isBelow(rawPath, NATIVE_ROOT);
    }

    private static boolean isBelow(String rawPath, String root) {
        return rawPath.equals(root) || rawPath.startsWith(root + "/");
    }

    private static ProblemBody e2b(Problem problem, String requestId) {
        var body =
                Json.createObjectBuilder()
                        .add("code", problem.reason().status())
                        .add("message", problem.getMessage())
                        .add("reason", problem.reason().word())
                        .add("error_code", problem.reason().word())
                        .add("requestId", requestId);
        return rendered("application/json", body, problem.members());
    }

    private static ProblemBody rfc9457(Problem problem, String requestId) {
        var reason = problem.reason();
        var body =
                Json.createObjectBuilder()
                        .add("type", TYPE_PREFIX + reason.word())
                        .add("title", reason.title())
                        .add("status", reason.status())
                        .add("detail", problem.getMessage())
                        .add("reason", reason.word())
                        .add("requestId", requestId);
        return rendered("application/problem+json", body, problem.members());
    }

    private static ProblemBody rendered(
            String mediaType, JsonObjectBuilder body, Map<String, Object> members) {
        members.forEach((name, value) -> body.add(name, json(value)));
        return new ProblemBody(mediaType, body.build().toString().getBytes(StandardCharsets.UTF_8));
    }

    private static JsonValue json(Object value) {
        if (value == null) {
            return JsonValue.NULL;
        }
        if (value instanceof JsonValue already) {
            return already;
        }
        if (value instanceof Boolean truth) {
            return truth ? JsonValue.TRUE : JsonValue.FALSE;
        }
        if (value instanceof Number number) {
            return number(number);
        }
        if (value instanceof Collection<?> items) {
            var array = Json.createArrayBuilder();
            items.forEach(item -> array.add(json(item)));
            return array.build();
        }
        if (value instanceof Map<?, ?> entries) {
            var object = Json.createObjectBuilder();
            entries.forEach((name, item) -> object.add(String.valueOf(name), json(item)));
            return object.build();
        }
        return Json.createValue(value.toString());
    }

    private static JsonValue number(Number number) {
        if (number instanceof BigDecimal || number instanceof Double || number instanceof Float) {
            return Json.createValue(new BigDecimal(number.toString()));
        }
        return Json.createValue(new BigInteger(number.toString()));
    }
}
