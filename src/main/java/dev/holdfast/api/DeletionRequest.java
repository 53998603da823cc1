package dev.holdfast.api;

import dev.holdfast.inventory.BulkDeletion;
import dev.holdfast.problem.Problem;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What is to be deleted, by IDs or by a filter.
 *
 * @param preview only tell what would be; nothing is changed
 * @param previewed what the preview of the same filter gave, or the former answer as {@code next}
 */
@Schema(
        name = "DeletionRequest",
        additionalProperties = Schema.False.class,
        examples = "{\"ids\": [\"0b9ad7ce-5a7e-4b1f-8e0c-6c2f1f6f2a10\"]}")
public record DeletionRequest(
        @Schema(
                        type = SchemaType.ARRAY,
                        implementation = String.class,
                        maxItems = BulkDeletion.MOST,
                        description = "Snapshot IDs; or give a filter")
                List<String> ids,
        SelectionRequest filter,
        Boolean preview,
        @Schema(
                        description =
                                "With a filter and without preview: what its preview gave, or what"
                                        + " the answer before gave as next")
                String previewed) {

    private static final String FILTER = "filter";
    private static final String IDS = "ids";
    private static final String PREVIEW = "preview";
    private static final String PREVIEWED = "previewed";

    private static final Set<String> MEMBERS = Set.of(IDS, FILTER, PREVIEW, PREVIEWED);
    private static final Set<String> FILTERS =
            Set.of(
                    "status",
                    "search",
                    "sourceSandboxId",
                    "templateId",
                    "createdBy",
                    "restorable",
                    "verdict",
                    "name",
                    "tag",
                    "labels",
                    "expiringWithin");

    static DeletionRequest of(JsonValue body) {
        Asked asked = Asked.of(body, MEMBERS);
        DeletionRequest request =
                new DeletionRequest(
                        asked.texts(IDS).orElse(null),
                        asked.object(FILTER, FILTERS).map(DeletionRequest::filter).orElse(null),
                        asked.flag(PREVIEW).orElse(false),
                        asked.text(PREVIEWED).orElse(null));
        request.check();
        return request;
    }

    private static SelectionRequest filter(Asked asked) {
        return new SelectionRequest(
                asked.text("status").orElse(null),
                asked.text("search").orElse(null),
                asked.text("sourceSandboxId").orElse(null),
                asked.text("templateId").orElse(null),
                asked.text("createdBy").orElse(null),
                asked.flag("restorable").orElse(null),
                asked.text("verdict").orElse(null),
                asked.text("name").orElse(null),
                asked.text("tag").orElse(null),
                asked.map("labels").map(DeletionRequest::labels).orElse(null),
                asked.number("expiringWithin").orElse(null));
    }

    private static Map<String, String> labels(Map<String, Optional<String>> given) {
        return given.entrySet().stream()
                .collect(
                        Collectors.toMap(
                                Map.Entry::getKey,
                                each ->
                                        each.getValue()
                                                .orElseThrow(
                                                        () ->
                                                                Problem.invalid(
                                                                        "labels",
                                                                        "\"labels\" is an object of"
                                                                                + " texts."))));
    }

    private void check() {
        if ((ids == null) == (filter == null)) {
            throw Problem.invalid(IDS, "Give either \"ids\" or \"filter\".");
        }
        if (ids != null && (ids.isEmpty() || ids.size() > BulkDeletion.MOST)) {
            throw Problem.invalid(IDS, "\"ids\" is 1 to " + BulkDeletion.MOST + " snapshot IDs.");
        }
        if (ids != null && previewed != null) {
            throw Problem.invalid(PREVIEWED, "\"previewed\" belongs to a filter.");
        }
        if (filter != null && !preview && previewed == null) {
            throw Problem.invalid(
                    PREVIEWED,
                    "Look first: with \"preview\" this filter tells what it would delete and gives"
                            + " \"previewed\", which allows it.");
        }
    }

    List<SnapshotId> snapshots() {
        return ids.stream()
                .map(
                        text ->
                                SnapshotId.parse(text)
                                        .orElseThrow(
                                                () ->
                                                        Problem.invalid(
                                                                IDS,
                                                                "\"ids\" are snapshot IDs, which"
                                                                        + " are UUIDs.")))
                .toList();
    }
}
