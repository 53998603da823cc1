package dev.holdfast.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;

/**
 * Makes the examples of bodies of those of their members: what is always there, and what has an
 * example of its own. So none can be out of date.
 */
final class DescribedExamples {
    private static final int DEEPEST = 6;
    private static final String MOMENT = "2026-01-31T12:00:00.123456Z";
    private static final String UUID = "0b9ad7ce-5a7e-4b1f-8e0c-6c2f1f6f2a10";

    private final Map<String, Schema> schemas;

    DescribedExamples(OpenAPI document) {
        this.schemas = document.getComponents().getSchemas();
    }

    void describe(Operation operation) {
        if (operation.getRequestBody() != null) {
            describe(operation.getRequestBody().getContent());
        }
        operation.getResponses().getAPIResponses().values().stream()
                .filter(each -> each.getRef() == null)
                .forEach(each -> describe(each.getContent()));
    }

    private void describe(Content content) {
        if (content == null) {
            return;
        }
        for (MediaType each : content.getMediaTypes().values()) {
            boolean none = each.getExample() == null && each.getExamples() == null;
            if (none
                    && each.getSchema() != null
                    && !"binary".equals(each.getSchema().getFormat())) {
                each.setExample(of(each.getSchema(), 0));
            }
        }
    }

    private Object of(Schema schema, int depth) {
        if (schema.getRef() != null) {
            Schema named = schemas.get(schema.getRef().replaceFirst(".*/", ""));
            return named == null ? null : of(named, depth);
        }
        Object given = given(schema);
        if (given != null) {
            return given;
        }
        if (schema.getOneOf() != null && !schema.getOneOf().isEmpty()) {
            return of(schema.getOneOf().get(0), depth);
        }
        return switch (type(schema)) {
            case OBJECT -> object(schema, depth);
            case ARRAY -> array(schema, depth);
            case BOOLEAN -> false;
            case INTEGER, NUMBER ->
                    schema.getMinimum() == null ? (Object) 1 : (Object) schema.getMinimum();
            default -> text(schema);
        };
    }

    private static Object given(Schema schema) {
        if ("date-time".equals(schema.getFormat())) {
            return MOMENT;
        }
        if (schema.getExamples() != null && !schema.getExamples().isEmpty()) {
            return schema.getExamples().get(0);
        }
        return schema.getDefaultValue();
    }

    /** A moment that the scan has put an example to may well be absent. */
    private static boolean isShown(Schema member) {
        return given(member) != null && !"date-time".equals(member.getFormat());
    }

    private static SchemaType type(Schema schema) {
        return schema.getType() == null || schema.getType().isEmpty()
                ? SchemaType.OBJECT
                : schema.getType().get(0);
    }

    private Object object(Schema schema, int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (schema.getProperties() != null && depth < DEEPEST) {
            List<String> required = schema.getRequired() == null ? List.of() : schema.getRequired();
            schema.getProperties()
                    .forEach(
                            (name, member) -> {
                                if (required.contains(name) || isShown(member)) {
                                    members.put(name, of(member, depth + 1));
                                }
                            });
        }
        return members;
    }

    private Object array(Schema schema, int depth) {
        List<Object> items = new ArrayList<>();
        if (schema.getItems() != null && depth < DEEPEST) {
            items.add(of(schema.getItems(), depth + 1));
        }
        return items;
    }

    private static Object text(Schema schema) {
        if (schema.getEnumeration() != null && !schema.getEnumeration().isEmpty()) {
            return schema.getEnumeration().get(0);
        }
        return switch (schema.getFormat() == null ? "" : schema.getFormat()) {
            case "date" -> MOMENT.substring(0, 10);
            case "uuid" -> UUID;
            default -> "text";
        };
    }
}
