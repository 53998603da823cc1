package dev.holdfast.sandbox;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReaderFactory;
import jakarta.json.JsonString;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A network policy as a JSON object that says only what differs from the default; the same in the
 * database and in manifests. The column is {@code jsonb} and is written with a cast.
 */
@Converter
public class NetworkPolicyConverter implements AttributeConverter<NetworkPolicy, String> {

    /** Whoever asks {@link Json} itself has the provider looked up anew for each row. */
    private static final JsonReaderFactory READERS = Json.createReaderFactory(Map.of());

    private static final String DEFAULT = "{}";
    private static final String INTERNET = "internet";
    private static final String ALLOW_OUT = "allowOut";
    private static final String DENY_OUT = "denyOut";
    private static final String PUBLIC_TRAFFIC = "publicTraffic";
    private static final String REQUEST_HOST = "requestHost";

    @Override
    public String convertToDatabaseColumn(NetworkPolicy policy) {
        return policy == null ? null : json(policy).toString();
    }

    @Override
    public NetworkPolicy convertToEntityAttribute(String column) {
        if (column == null) {
            return null;
        }
        if (column.equals(DEFAULT)) {
            return NetworkPolicy.DEFAULT;
        }
        try (var reader = READERS.createReader(new StringReader(column))) {
            return policy(reader.readObject());
        }
    }

    public static JsonObject json(NetworkPolicy policy) {
        JsonObjectBuilder json = Json.createObjectBuilder();
        policy.internet().ifPresent(internet -> json.add(INTERNET, internet));
        if (!policy.allowOut().isEmpty()) {
            json.add(ALLOW_OUT, array(policy.allowOut()));
        }
        if (!policy.denyOut().isEmpty()) {
            json.add(DENY_OUT, array(policy.denyOut()));
        }
        if (!policy.publicTraffic()) {
            json.add(PUBLIC_TRAFFIC, false);
        }
        policy.requestHost().ifPresent(host -> json.add(REQUEST_HOST, host));
        return json.build();
    }

    /**
     * Reads what {@link #json} wrote, and the two members that the machine settings of older
     * manifests have in place of it.
     */
    public static NetworkPolicy policy(JsonObject json) {
        return new NetworkPolicy(
                json.containsKey(INTERNET)
                        ? Optional.of(json.getBoolean(INTERNET))
                        : Optional.empty(),
                texts(json, ALLOW_OUT),
                texts(json, DENY_OUT),
                json.getBoolean(PUBLIC_TRAFFIC, true),
                Optional.ofNullable(json.getString(REQUEST_HOST, null)));
    }

    private static JsonArrayBuilder array(List<String> texts) {
        return Json.createArrayBuilder(texts);
    }

    private static List<String> texts(JsonObject json, String name) {
        return json.containsKey(name)
                ? json.getJsonArray(name).getValuesAs(JsonString::getString)
                : List.of();
    }
}
