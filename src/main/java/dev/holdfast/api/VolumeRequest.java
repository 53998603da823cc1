package dev.holdfast.api;

import dev.holdfast.problem.Problem;
import dev.holdfast.volume.VolumeName;
import dev.holdfast.volume.VolumeTerms;
import jakarta.json.JsonValue;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.media.SchemaProperty;

/** What a volume is to be, or what is to be changed of it. */
@Schema(
        name = "VolumeRequest",
        type = SchemaType.OBJECT,
        additionalProperties = Schema.False.class,
        properties = {
            @SchemaProperty(
                    name = "name",
                    type = SchemaType.STRING,
                    pattern = "^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$",
                    description = "A new one needs it, and it stays",
                    examples = "datasets"),
            @SchemaProperty(
                    name = "limitBytes",
                    type = SchemaType.INTEGER,
                    format = "int64",
                    minimum = "16777216",
                    description =
                            "The size of its file system. It can be raised while no sandbox mounts"
                                    + " it, and is not lowered"),
            @SchemaProperty(
                    name = "note",
                    type = SchemaType.STRING,
                    nullable = true,
                    maxLength = 1000,
                    description = "For people")
        })
final class VolumeRequest implements UnaryOperator<VolumeTerms> {

    private static final String LIMIT = "limitBytes";
    private static final String NOTE = "note";
    private static final Set<String> NEW = Set.of("name", LIMIT, NOTE);
    private static final Set<String> CHANGE = Set.of(LIMIT, NOTE);

    @Schema(hidden = true)
    private final Asked asked;

    private VolumeRequest(Asked asked) {
        this.asked = asked;
    }

    static VolumeRequest fresh(JsonValue body) {
        return new VolumeRequest(Asked.of(body, NEW));
    }

    static VolumeRequest change(JsonValue body) {
        return new VolumeRequest(Asked.of(body, CHANGE));
    }

    VolumeName name() {
        return VolumeName.of(
                asked.text("name").orElseThrow(() -> Problem.invalid("name", "Give a \"name\".")));
    }

    /** Of one that is to be made. */
    VolumeTerms terms(long usual) {
        return apply(new VolumeTerms(usual, Optional.empty()));
    }

    @Override
    public VolumeTerms apply(VolumeTerms before) {
        return new VolumeTerms(
                asked.number(LIMIT).orElse(before.limit()),
                asked.has(NOTE) ? asked.text(NOTE) : before.note());
    }
}
