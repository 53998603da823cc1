package dev.holdfast.api;

import dev.holdfast.gateway.OutgoingContent;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.PathItem.HttpMethod;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/**
 * Completes the description that the server scans from the resources by what holds for all of them:
 * refusals, headers, permissions, well-known parameters, examples. So each stands in one place.
 */
public class Description implements OASFilter {
    private static final String ROOT =
            ApiApplication.class.getAnnotation(ApplicationPath.class).value();
    private static final String MERGE_PATCH = "application/merge-patch+json";

    /** The beginnings of what is given line by line. */
    private static final Map<String, String> LINES =
            Map.of(
                    AuditAnswers.NDJSON,
                    "{\"id\":\"1042\",\"action\":\"snapshot.delete\",\"outcome\":\"done\"}\n",
                    AuditAnswers.CSV,
                    AuditCsv.HEADER,
                    MediaType.SERVER_SENT_EVENTS,
                    "id: 0000000000001042\nevent: snapshot.saved\ndata: {}\n\n");

    /** What is handed out as it is. */
    private static final Set<String> BINARY =
            Set.of(MediaType.APPLICATION_OCTET_STREAM, OutgoingContent.TAR);

    private final DescribedParameters parameters = new DescribedParameters();

    @Override
    public void filterOpenAPI(OpenAPI document) {
        if (document.getComponents() == null) {
            document.setComponents(OASFactory.createComponents());
        }
        Map<String, List<DescribedMethod>> methods =
                ApiApplication.resources().stream()
                        .flatMap(each -> DescribedMethod.of(ROOT, each))
                        .collect(Collectors.groupingBy(each -> each.verb() + " " + each.path()));
        document.getComponents().getSchemas().values().forEach(Description::leaveAlone);
        DescribedProblems problems = new DescribedProblems(document.getComponents());
        DescribedExamples examples = new DescribedExamples(document);
        document.getPaths()
                .getPathItems()
                .forEach(
                        (path, item) ->
                                item.getOperations()
                                        .forEach(
                                                (verb, operation) -> {
                                                    var those =
                                                            methods.getOrDefault(
                                                                    verb + " " + path, List.of());
                                                    describe(item, verb, operation, those);
                                                    problems.describe(
                                                            verb,
                                                            operation,
                                                            those.stream()
                                                                    .flatMap(
                                                                            each ->
                                                                                    each
                                                                                            .refusals()
                                                                                            .stream())
                                                                    .collect(Collectors.toSet()));
                                                    examples.describe(operation);
                                                }));
    }

    /** The scan repeats the type beside a reference, where it would narrow what is referred to. */
    private static void leaveAlone(Schema schema) {
        if (schema.getRef() != null) {
            schema.setType(null);
        }
        if (schema.getAdditionalPropertiesSchema() != null) {
            leaveAlone(schema.getAdditionalPropertiesSchema());
        }
        if (schema.getItems() != null) {
            leaveAlone(schema.getItems());
        }
        if (schema.getProperties() != null) {
            schema.getProperties().values().forEach(Description::leaveAlone);
        }
    }

    private void describe(
            PathItem item, HttpMethod verb, Operation operation, List<DescribedMethod> methods) {
        for (DescribedMethod method : methods) {
            permit(operation, method);
            take(operation, method);
            give(operation, method);
        }
        if (operation.getParameters() != null) {
            operation.getParameters().forEach(parameters::describe);
        }
        oneForm(verb, operation);
        head(item, verb, operation);
    }

    private static void permit(Operation operation, DescribedMethod method) {
        String needs = "Needs " + String.join(" or ", method.permissions()) + ".";
        String said = operation.getDescription();
        if (said == null) {
            operation.setDescription(needs);
        } else if (!said.contains(needs)) {
            operation.setDescription(said + " " + needs);
        }
        operation.addExtension("x-permissions", method.permissions());
    }

    /** What is taken as it comes is described once, whatever it may be declared as. */
    private static void take(Operation operation, DescribedMethod method) {
        if (!method.takesStreams()) {
            return;
        }
        operation.setRequestBody(
                OASFactory.createRequestBody()
                        .required(true)
                        .content(binary(MediaType.APPLICATION_OCTET_STREAM)));
    }

    private static Content binary(String type) {
        return OASFactory.createContent()
                .addMediaType(
                        type,
                        OASFactory.createMediaType()
                                .schema(
                                        OASFactory.createSchema()
                                                .addType(SchemaType.STRING)
                                                .format("binary")));
    }

    private static void give(Operation operation, DescribedMethod method) {
        APIResponse answer = operation.getResponses().getAPIResponse("200");
        for (String type : method.streams()) {
            if (BINARY.contains(type)) {
                answer.description("All of it").content(binary(type));
                if (method.givesParts()) {
                    operation
                            .getResponses()
                            .addAPIResponse(
                                    "206",
                                    OASFactory.createAPIResponse()
                                            .description("The part that Range asked for")
                                            .content(binary(type)));
                }
                continue;
            }
            if (answer.getContent() == null) {
                answer.setContent(OASFactory.createContent());
            }
            if (isBinary(answer.getContent().getMediaType(type))) {
                continue;
            }
            answer.getContent()
                    .addMediaType(
                            type,
                            OASFactory.createMediaType()
                                    .schema(OASFactory.createSchema().addType(SchemaType.STRING))
                                    .example(LINES.get(type)));
        }
    }

    private static boolean isBinary(
            org.eclipse.microprofile.openapi.models.media.MediaType declared) {
        return declared != null
                && declared.getSchema() != null
                && "binary".equals(declared.getSchema().getFormat());
    }

    /** A body is taken in either form; generators make a method for each that they are told of. */
    private static void oneForm(HttpMethod verb, Operation operation) {
        if (operation.getRequestBody() == null || operation.getRequestBody().getContent() == null) {
            return;
        }
        Content content = operation.getRequestBody().getContent();
        if (content.hasMediaType(MediaType.APPLICATION_JSON) && content.hasMediaType(MERGE_PATCH)) {
            content.removeMediaType(
                    verb == HttpMethod.PATCH ? MediaType.APPLICATION_JSON : MERGE_PATCH);
        }
    }

    private static void head(PathItem item, HttpMethod verb, Operation operation) {
        Set<HttpMethod> tagged = EnumSet.of(HttpMethod.GET, HttpMethod.PATCH);
        operation
                .getResponses()
                .getAPIResponses()
                .forEach(
                        (status, answer) -> {
                            if (status.equals("201") || status.equals("202")) {
                                answer.addHeader(
                                        HttpHeaders.LOCATION, header("Where it can be seen"));
                            }
                            if (status.equals("200")
                                    && tagged.contains(verb)
                                    && isConditional(item.getPATCH())) {
                                answer.addHeader(
                                        HttpHeaders.ETAG,
                                        header("What If-Match of a change compares"));
                            }
                        });
    }

    private static boolean isConditional(Operation change) {
        return change != null
                && change.getParameters() != null
                && change.getParameters().stream()
                        .map(Parameter::getName)
                        .anyMatch(HttpHeaders.IF_MATCH::equals);
    }

    private static Header header(String description) {
        return OASFactory.createHeader()
                .description(description)
                .schema(OASFactory.createSchema().addType(SchemaType.STRING));
    }
}
