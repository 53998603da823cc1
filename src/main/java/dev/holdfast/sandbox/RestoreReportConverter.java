package dev.holdfast.sandbox;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.io.StringReader;
import java.util.List;

/** A report as a JSON object; the column is {@code jsonb} and is written with a cast. */
@Converter
public class RestoreReportConverter implements AttributeConverter<RestoreReport, String> {

    @Override
    public String convertToDatabaseColumn(RestoreReport report) {
        return report == null
                ? null
                : Json.createObjectBuilder()
                        .add("renewed", Json.createArrayBuilder(report.renewed()))
                        .add("notRenewed", Json.createArrayBuilder(report.notRenewed()))
                        .add("cut", Json.createArrayBuilder(report.cut()))
                        .add("shared", Json.createArrayBuilder(report.shared()))
                        .add("clockSkewMillis", report.clockSkewMillis())
                        .build()
                        .toString();
    }

    @Override
    public RestoreReport convertToEntityAttribute(String column) {
        if (column == null) {
            return null;
        }
        try (var reader = Json.createReader(new StringReader(column))) {
            JsonObject json = reader.readObject();
            return new RestoreReport(
                    texts(json.getJsonArray("renewed")),
                    texts(json.getJsonArray("notRenewed")),
                    texts(json.getJsonArray("cut")),
                    texts(json.getJsonArray("shared")),
                    json.getJsonNumber("clockSkewMillis").longValue());
        }
    }

    private static List<String> texts(JsonArray array) {
        return array.getValuesAs(JsonString::getString);
    }
}
