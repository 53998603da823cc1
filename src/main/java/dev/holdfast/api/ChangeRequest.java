package dev.holdfast.api;

import dev.holdfast.snapshot.Annotation;
import dev.holdfast.snapshot.Labels;
import dev.holdfast.snapshot.Note;
import jakarta.json.JsonValue;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What is to be changed of a snapshot, as a merge patch: what is absent stays.
 *
 * @param expiresAt the moment, as RFC 3339 has it; or {@code retentionSeconds}
 * @param note null removes it
 * @param labels a key with null removes that label, null removes none
 */
@Schema(
        name = "SnapshotChange",
        additionalProperties = Schema.False.class,
        examples = "{\"note\": \"before the upgrade\", \"labels\": {\"team\": \"claims\"}}")
public record ChangeRequest(
        @Schema(format = "date-time") String expiresAt,
        @Schema(minimum = "1", description = "Counted from the saving") Long retentionSeconds,
        @Schema(nullable = true, minLength = 1, maxLength = Note.LONGEST) String note,
        @Schema(
                        maxProperties = Labels.MOST,
                        additionalProperties = LabelChange.class,
                        description = "Up to 32 labels; a key with null removes that one")
                Map<String, String> labels) {

    /** What a label is to be. */
    @Schema(type = SchemaType.STRING, nullable = true, maxLength = Labels.LONGEST_VALUE)
    private interface LabelChange {}

    private static final String EXPIRES_AT = "expiresAt";
    private static final String RETENTION = "retentionSeconds";
    private static final String NOTE = "note";
    private static final String LABELS = "labels";

    private static final Set<String> MEMBERS = Set.of(EXPIRES_AT, RETENTION, NOTE, LABELS);

    /**
     * The same, read.
     *
     * @param expiry empty: it stays
     */
    record Read(Optional<ExpiryRequest> expiry, Annotation annotation) {}

    static Read read(JsonValue body) {
        Asked asked = Asked.of(body == null ? JsonValue.EMPTY_JSON_OBJECT : body, MEMBERS);
        ExpiryRequest expiry =
                new ExpiryRequest(
                        asked.text(EXPIRES_AT).orElse(null), asked.number(RETENTION).orElse(null));
        Annotation annotation =
                new Annotation(
                        asked.has(NOTE)
                                ? Optional.of(asked.text(NOTE).map(Note::new))
                                : Optional.empty(),
                        asked.map(LABELS).orElse(Map.of()));
        // Neither means nothing unless something else is to be changed.
        boolean expires = expiry.expiresAt() != null || expiry.retentionSeconds() != null;
        return new Read(
                expires || annotation.isEmpty() ? Optional.of(expiry) : Optional.empty(),
                annotation);
    }
}
