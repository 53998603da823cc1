package dev.holdfast.api;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.parameters.Parameter.In;

/** What a parameter is that many methods have; what a method says of it itself stays. */
final class DescribedParameters {
    private static final String UUID =
            "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

    /** A place in a list, or anything that is given back as it was given. */
    private static final int LONGEST_TOKEN = 2_000;

    /** What the kernel takes. */
    private static final int LONGEST_PATH = 4_096;

    /** Of a text of which nothing more is said. */
    private static final int LONGEST = 512;

    private record Known(String description, Schema schema, Object example) {}

    private final Map<String, Known> known =
            Map.ofEntries(
                    Map.entry(
                            "project",
                            new Known(
                                    "The project's ID, or its slug",
                                    text(128),
                                    "6f1c2a52-0d6b-4f0e-9b55-3a0d3a7f5c11")),
                    Map.entry(
                            "reference",
                            new Known(
                                    "The snapshot's ID; or its name, [slug/]short[:tag], with the"
                                            + " slash encoded as %2F",
                                    text(400), "0b9ad7ce-5a7e-4b1f-8e0c-6c2f1f6f2a10")),
                    Map.entry(
                            "id",
                            new Known(
                                    "The sandbox's ID",
                                    text(64).pattern("^[a-z0-9]+$"),
                                    "i3kq9v0x7c2m5n8p1r4t6")),
                    Map.entry(
                            "upload",
                            new Known(
                                    "The upload ID of the capture",
                                    text(36).pattern(UUID),
                                    "a3f0f6a7-2f4e-4c39-8a53-0d1c9b7e6f52")),
                    Map.entry(
                            "key",
                            new Known(
                                    "The key's ID, which is not the key itself",
                                    text(36).pattern(UUID),
                                    "d5b1c9e0-7a34-4f0c-b2f1-90f4a6c3e871")),
                    Map.entry(
                            "template",
                            new Known("The template's ID or its name", text(128), "base")),
                    Map.entry("worker", new Known("The worker's ID", text(200), "worker-1")),
                    Map.entry("job", new Known("The job's name", text(64), "expire-snapshots")),
                    Map.entry(
                            "execution",
                            new Known(
                                    "The execution's ID", text(18).pattern("^[0-9]{1,18}$"), "42")),
                    Map.entry(
                            "context",
                            new Known(
                                    "The interpreter's ID",
                                    text(64).pattern("^[A-Za-z0-9_-]{1,64}$"),
                                    "python")),
                    Map.entry(
                            "pid",
                            new Known(
                                    "The number of a process",
                                    text(10).pattern("^[1-9][0-9]{0,9}$"),
                                    "12")),
                    Map.entry(
                            "volume",
                            new Known("The volume's ID or its name", text(128), "shared-data")),
                    Map.entry(
                            "webhook",
                            new Known(
                                    "The webhook's ID",
                                    text(36).pattern(UUID),
                                    "5d0f1a34-8d0c-4a53-9c7e-0f6b1f2e9a77")),
                    Map.entry(
                            "comparison",
                            new Known(
                                    "The comparison's ID",
                                    text(36).pattern(UUID),
                                    "7c1f8e52-6a0b-4a9e-8d3f-2b7f5a1c9e44")),
                    Map.entry(
                            "event",
                            new Known(
                                    "The ID of the event",
                                    text(16).pattern("^[0-9]{16}$"),
                                    "0000000000001042")),
                    Map.entry(
                            "limit",
                            new Known("How many a page has at most", number(1, 100), null)),
                    Map.entry(
                            "after",
                            new Known("The next of a page, for the one behind it", token(), null)),
                    Map.entry(
                            "before",
                            new Known(
                                    "The previous of a page, for the one before it",
                                    token(),
                                    null)),
                    Map.entry(
                            "path",
                            new Known(
                                    "From the root, as /data/notes.txt; the root itself where"
                                            + " nothing is said",
                                    text(LONGEST_PATH),
                                    null)),
                    Map.entry(
                            "pathBytes",
                            new Known(
                                    "Instead of path, where that is no UTF-8: its bytes in base64"
                                            + " for URLs",
                                    text(LONGEST_PATH * 2),
                                    null)),
                    Map.entry(
                            "Range",
                            new Known(
                                    "One part, as bytes=FIRST-LAST, bytes=FIRST- or bytes=-LAST",
                                    text(LONGEST),
                                    null)),
                    Map.entry(
                            "If-Range",
                            new Known(
                                    "The ETag of what the part is of; else all is answered",
                                    text(LONGEST),
                                    null)),
                    Map.entry(
                            "If-Match",
                            new Known(
                                    "The ETag of what is to be changed: it is refused with 412 if"
                                            + " that has another by now",
                                    text(64),
                                    null)),
                    Map.entry(
                            "Idempotency-Key",
                            new Known(
                                    "A name for this order: asked for again with it, nothing is"
                                            + " made twice and the answer is about the first",
                                    text(255).minLength(1).pattern("^[!-~]{1,255}$"),
                                    null)),
                    Map.entry(
                            "Prefer",
                            new Known(
                                    "RFC 7240: respond-async takes the operation for an answer,"
                                            + " wait=N how many seconds to wait for more",
                                    text(200),
                                    null)));

    void describe(Parameter parameter) {
        Known all = known.get(parameter.getName());
        if (parameter.getRef() != null) {
            return;
        }
        if (all != null) {
            if (parameter.getDescription() == null) {
                parameter.setDescription(all.description());
            }
            if (!isBounded(parameter.getSchema())) {
                parameter.setSchema(all.schema());
            }
            if (parameter.getExample() == null && all.example() != null) {
                parameter.setExample(all.example());
            }
        }
        if (parameter.getIn() != In.HEADER && isList(parameter.getSchema())) {
            return;
        }
        if (!isBounded(parameter.getSchema())) {
            parameter.setSchema(text(LONGEST));
        }
        Schema schema = parameter.getSchema();
        if (schema.getType() == null && schema.getRef() == null) {
            // The scan leaves it out where a method says anything of the schema.
            schema.addType(schema.getMinimum() == null ? SchemaType.STRING : SchemaType.INTEGER);
        }
    }

    /** Whether more is said than that it is a text. */
    private static boolean isBounded(Schema schema) {
        return schema != null
                && !isList(schema)
                && (schema.getType() == null
                        || !schema.getType().equals(List.of(SchemaType.STRING))
                        || schema.getEnumeration() != null
                        || schema.getPattern() != null
                        || schema.getFormat() != null
                        || schema.getMaxLength() != null);
    }

    /** A header that may come several times is one text to those who send it. */
    private static boolean isList(Schema schema) {
        return schema != null && List.of(SchemaType.ARRAY).equals(schema.getType());
    }

    private static Schema text(int longest) {
        return OASFactory.createSchema().addType(SchemaType.STRING).maxLength(longest);
    }

    private static Schema token() {
        return text(LONGEST_TOKEN);
    }

    private static Schema number(int least, int most) {
        return OASFactory.createSchema()
                .addType(SchemaType.INTEGER)
                .minimum(BigDecimal.valueOf(least))
                .maximum(BigDecimal.valueOf(most));
    }
}
