package dev.holdfast.volume;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonReaderFactory;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Mounts as a JSON array, the same in the database and in manifests. */
@Converter
public class MountsConverter implements AttributeConverter<List<Mount>, String> {

    private static final String NONE = "[]";
    private static final String VOLUME = "volume";
    private static final String NAME = "name";
    private static final String PATH = "path";

    /** Whoever asks {@link Json} itself has the provider looked up anew for each row. */
    private static final JsonReaderFactory READERS = Json.createReaderFactory(Map.of());

    @Override
    public String convertToDatabaseColumn(List<Mount> mounts) {
        return mounts == null || mounts.isEmpty() ? NONE : json(mounts).toString();
    }

    @Override
    public List<Mount> convertToEntityAttribute(String column) {
        if (column == null || column.equals(NONE)) {
            return List.of();
        }
        try (var reader = READERS.createReader(new StringReader(column))) {
            return mounts(reader.readArray());
        }
    }

    public static JsonArray json(List<Mount> mounts) {
        JsonArrayBuilder array = Json.createArrayBuilder();
        mounts.forEach(
                mount ->
                        array.add(
                                Json.createObjectBuilder()
                                        .add(VOLUME, mount.volume().toString())
                                        .add(NAME, mount.name())
                                        .add(PATH, mount.path().value())));
        return array.build();
    }

    /** Reads what {@link #json} wrote. */
    public static List<Mount> mounts(JsonArray json) {
        return json.getValuesAs(JsonObject.class).stream()
                .map(
                        each ->
                                new Mount(
                                        new VolumeId(UUID.fromString(each.getString(VOLUME))),
                                        each.getString(NAME),
                                        new MountPath(each.getString(PATH))))
                .toList();
    }
}
