package dev.holdfast.api;

import dev.holdfast.access.KeyTerms;
import dev.holdfast.access.Permission;
import dev.holdfast.problem.Problem;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.media.SchemaProperty;

/** What a key is to be, or what is to be changed of it. */
@Schema(
        name = "KeyRequest",
        type = SchemaType.OBJECT,
        additionalProperties = Schema.False.class,
        properties = {
            @SchemaProperty(
                    name = "name",
                    type = SchemaType.STRING,
                    minLength = 1,
                    maxLength = 128,
                    description = "For people; a new key needs one",
                    examples = "nightly export"),
            @SchemaProperty(
                    name = "permissions",
                    type = SchemaType.ARRAY,
                    implementation = String.class,
                    minItems = 1,
                    maxItems = 16,
                    description =
                            "None that its maker lacks; all of those if it does not say. Of snapshots:read, sandboxes:use, sandboxes:manage, project:admin; or service:admin alone"),
            @SchemaProperty(
                    name = "expiresAt",
                    type = SchemaType.STRING,
                    nullable = true,
                    format = "date-time",
                    description = "null: it does not end by itself")
        })
final class KeyRequest implements UnaryOperator<KeyTerms> {
    private static final String NAME = "name";
    private static final String PERMISSIONS = "permissions";
    private static final String EXPIRES_AT = "expiresAt";
    private static final Set<String> MEMBERS = Set.of(NAME, PERMISSIONS, EXPIRES_AT);
    private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");

    @Schema(hidden = true)
    private final Change change;

    @Schema(hidden = true)
    private final JsonValue permissions;

    private KeyRequest(Change change, JsonValue permissions) {
        this.change = change;
        this.permissions = permissions;
    }

    static KeyRequest of(JsonValue body) {
        Change change = Change.of(body, MEMBERS);
        return new KeyRequest(
                change,
                body instanceof JsonObject members
                        ? members.getOrDefault(PERMISSIONS, JsonValue.NULL)
                        : JsonValue.NULL);
    }

    /**
     * @param usual what it may do when it does not say
     */
    KeyTerms fresh(Set<Permission> usual) {
        return new KeyTerms(change.text(NAME).orElse(""), permissions(usual), expiry());
    }

    @Override
    public KeyTerms apply(KeyTerms before) {
        return new KeyTerms(
                change.has(NAME) ? change.text(NAME).orElse("") : before.name(),
                permissions(before.permissions()),
                change.has(EXPIRES_AT) ? expiry() : before.expiresAt());
    }

    private Set<Permission> permissions(Set<Permission> otherwise) {
        if (permissions == JsonValue.NULL) {
            return otherwise;
        }
        if (!(permissions instanceof JsonArray words) || words.size() > 16) {
            throw unknown();
        }
        Set<Permission> asked = EnumSet.noneOf(Permission.class);
        for (JsonValue word : words) {
            asked.add(
                    Optional.of(word)
                            .filter(JsonString.class::isInstance)
                            .map(text -> ((JsonString) text).getString())
                            .flatMap(Permission::of)
                            .orElseThrow(KeyRequest::unknown));
        }
        return asked;
    }

    private Optional<Instant> expiry() {
        return change.text(EXPIRES_AT).map(KeyRequest::moment);
    }

    private static Instant moment(String text) {
        try {
            Instant moment = OffsetDateTime.parse(text).toInstant();
            if (moment.isBefore(FAR)) {
                return moment.truncatedTo(ChronoUnit.MICROS);
            }
        } catch (DateTimeException e) {
            // refused below like a moment out of range
        }
        throw Problem.invalid(
                EXPIRES_AT, "\"expiresAt\" is a moment like 2030-01-31T12:00:00Z, or null.");
    }

    private static Problem unknown() {
        return Problem.invalid(
                PERMISSIONS,
                "\"permissions\" is a list of "
                        + String.join(
                                ", ",
                                Permission.ofProject().stream().map(Permission::word).toList())
                        + ".");
    }
}
