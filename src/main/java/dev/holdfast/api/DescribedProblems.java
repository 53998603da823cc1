package dev.holdfast.api;

import dev.holdfast.operation.Preference;
import dev.holdfast.problem.Reason;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem.HttpMethod;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.parameters.Parameter.In;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/**
 * The refusals of an operation: those of its own and those that follow from what it is. Answers
 * that many have in common stand once, among the components.
 */
final class DescribedProblems {
    private static final String SCHEMA = "Problem";
    private static final String MEDIA_TYPE = "application/problem+json";

    /** The words of an answer's reasons, for programs. */
    private static final String REASONS = "x-reasons";

    /** Answers with more reasons than this are an operation's own. */
    private static final int SHARED = 2;

    /** What a path can name that is not there. */
    private static final Map<String, Set<Reason>> NAMED =
            Map.ofEntries(
                    Map.entry("project", EnumSet.of(Reason.PROJECT_NOT_FOUND)),
                    Map.entry(
                            "reference",
                            EnumSet.of(
                                    Reason.MALFORMED_REFERENCE,
                                    Reason.SNAPSHOT_NOT_FOUND,
                                    Reason.SNAPSHOT_EXPIRED,
                                    Reason.SNAPSHOT_DELETED)),
                    Map.entry("id", EnumSet.of(Reason.SANDBOX_NOT_FOUND)),
                    Map.entry("upload", EnumSet.of(Reason.OPERATION_NOT_FOUND)),
                    Map.entry("template", EnumSet.of(Reason.TEMPLATE_NOT_FOUND)),
                    Map.entry("key", EnumSet.of(Reason.KEY_NOT_FOUND)),
                    Map.entry("worker", EnumSet.of(Reason.WORKER_NOT_FOUND)),
                    Map.entry("job", EnumSet.of(Reason.JOB_NOT_FOUND)),
                    Map.entry("execution", EnumSet.of(Reason.EXECUTION_NOT_FOUND)),
                    Map.entry("volume", EnumSet.of(Reason.VOLUME_NOT_FOUND)),
                    Map.entry("comparison", EnumSet.of(Reason.COMPARISON_NOT_FOUND)),
                    Map.entry("webhook", EnumSet.of(Reason.WEBHOOK_NOT_FOUND)),
                    Map.entry("event", EnumSet.of(Reason.DELIVERY_NOT_FOUND)));

    private final Components components;

    DescribedProblems(Components components) {
        this.components = components;
        components.addSchema(SCHEMA, problem());
    }

    void describe(HttpMethod verb, Operation operation, Set<Reason> own) {
        Map<Integer, List<Reason>> byStatus =
                all(verb, operation, own).stream()
                        .collect(
                                Collectors.groupingBy(
                                        Reason::status, TreeMap::new, Collectors.toList()));
        byStatus.forEach(
                (status, reasons) ->
                        operation
                                .getResponses()
                                .addAPIResponse(status.toString(), answer(reasons)));
    }

    private static Set<Reason> all(HttpMethod verb, Operation operation, Set<Reason> own) {
        Set<Reason> all =
                EnumSet.of(
                        Reason.INVALID_PARAMETER,
                        Reason.UNAUTHENTICATED,
                        Reason.PERMISSION_MISSING,
                        Reason.PROJECT_CLOSED,
                        Reason.NOT_ACCEPTABLE,
                        // Also where no body is taken a type of one may be sent.
                        Reason.UNSUPPORTED_MEDIA_TYPE,
                        Reason.INTERNAL_ERROR,
                        Reason.TEMPORARILY_UNAVAILABLE);
        all.addAll(own);
        if (verb != HttpMethod.GET) {
            all.add(Reason.CONCURRENT_CHANGE);
            // Also one without a body may be sent one.
            all.add(Reason.BODY_TOO_LARGE);
        }
        for (Parameter parameter : parameters(operation)) {
            if (parameter.getIn() == In.PATH) {
                all.add(Reason.NOT_FOUND);
                all.addAll(NAMED.getOrDefault(parameter.getName(), Set.of()));
            }
            switch (parameter.getName()) {
                case "If-Match" -> all.add(Reason.PRECONDITION_FAILED);
                case Preference.HEADER -> all.add(Reason.SERVER_STOPPING);
                case "Idempotency-Key" -> all.add(Reason.IDEMPOTENCY_KEY_REUSED);
                default -> {
                    // nothing follows from it
                }
            }
        }
        return all;
    }

    private static List<Parameter> parameters(Operation operation) {
        return operation.getParameters() == null ? List.of() : operation.getParameters();
    }

    private APIResponse answer(List<Reason> reasons) {
        if (reasons.size() > SHARED) {
            return written(reasons);
        }
        String name =
                reasons.stream().map(DescribedProblems::name).collect(Collectors.joining("Or"));
        if (components.getResponses() == null || !components.getResponses().containsKey(name)) {
            components.addResponse(name, written(reasons));
        }
        return OASFactory.createAPIResponse().ref(name);
    }

    private APIResponse written(List<Reason> reasons) {
        MediaType body = OASFactory.createMediaType().schema(OASFactory.createSchema().ref(SCHEMA));
        for (Reason reason : reasons) {
            body.addExample(reason.word(), OASFactory.createExample().ref(example(reason)));
        }
        APIResponse answer =
                OASFactory.createAPIResponse()
                        .description(
                                reasons.stream()
                                        .map(Reason::word)
                                        .collect(Collectors.joining(", ")))
                        .content(OASFactory.createContent().addMediaType(MEDIA_TYPE, body));
        answer.addExtension(REASONS, reasons.stream().map(Reason::word).toList());
        if (Set.of(429, 503).contains(reasons.get(0).status())) {
            answer.addHeader("Retry-After", retryAfter());
        }
        return answer;
    }

    private String example(Reason reason) {
        // Two may have one word, each with a status of its own.
        String name = reason.name().toLowerCase(Locale.ROOT);
        if (components.getExamples() == null || !components.getExamples().containsKey(name)) {
            Map<String, Object> value = new LinkedHashMap<>();
            value.put("type", "urn:holdfast:problem:" + reason.word());
            value.put("title", reason.title());
            value.put("status", reason.status());
            value.put("detail", "What was wrong, what is allowed, what to do.");
            value.put("reason", reason.word());
            value.put("requestId", "5f0c7a34-1c0e-4b46-9c3a-3d8f6f1d2b90");
            components.addExample(
                    name, OASFactory.createExample().summary(reason.title()).value(value));
        }
        return name;
    }

    private static Header retryAfter() {
        return OASFactory.createHeader()
                .description("Seconds after which to ask again; there only if nothing was done")
                .schema(OASFactory.createSchema().addType(SchemaType.INTEGER));
    }

    private static Schema problem() {
        Schema schema =
                OASFactory.createSchema()
                        .addType(SchemaType.OBJECT)
                        .description(
                                "RFC 9457. Programs test the reason, which is stable; new ones may"
                                        + " come. Some have members of their own, such as the"
                                        + " parameter, the occupants, or the limit, used and"
                                        + " needed.");
        List<String> members = new ArrayList<>();
        text("A URN that ends with the reason", "type", schema, members);
        text("The reason in words for people", "title", schema, members);
        schema.addProperty(
                "status",
                OASFactory.createSchema()
                        .addType(SchemaType.INTEGER)
                        .description("The HTTP status"));
        members.add("status");
        text("What was wrong, what is allowed, what to do", "detail", schema, members);
        text("Why, as a stable word", "reason", schema, members);
        text("What the server's log has this request under", "requestId", schema, members);
        schema.addProperty(
                "parameter",
                OASFactory.createSchema()
                        .addType(SchemaType.STRING)
                        .description("The parameter, member or header that was wrong"));
        return schema.required(members);
    }

    private static void text(String description, String name, Schema schema, List<String> members) {
        schema.addProperty(
                name,
                OASFactory.createSchema().addType(SchemaType.STRING).description(description));
        members.add(name);
    }

    private static String name(Reason reason) {
        StringBuilder name = new StringBuilder();
        for (String word : reason.name().split("_")) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }
}
