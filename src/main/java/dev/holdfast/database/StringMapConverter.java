package dev.holdfast.database;

import jakarta.json.Json;
import jakarta.json.JsonBuilderFactory;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReaderFactory;
import jakarta.json.JsonString;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;

/** A map of texts as a JSON object; the column is {@code jsonb} and is written with a cast. */
@Converter
public class StringMapConverter implements AttributeConverter<Map<String, String>, String> {

    private static final String EMPTY = "{}";

    /** Whoever asks {@link Json} itself has the provider looked up anew for each row. */
    private static final JsonReaderFactory READERS = Json.createReaderFactory(Map.of());

    private static final JsonBuilderFactory BUILDERS = Json.createBuilderFactory(Map.of());

    @Override
    public String convertToDatabaseColumn(Map<String, String> map) {
        JsonObjectBuilder json = BUILDERS.createObjectBuilder();
        map.forEach(json::add);
        return json.build().toString();
    }

    @Override
    public Map<String, String> convertToEntityAttribute(String column) {
        Map<String, String> map = new LinkedHashMap<>();
        if (column.equals(EMPTY)) {
            return map;
        }
        try (var reader = READERS.createReader(new StringReader(column))) {
            JsonObject json = reader.readObject();
            json.forEach((key, value) -> map.put(key, ((JsonString) value).getString()));
        }
        return map;
    }
}
