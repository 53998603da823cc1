package dev.holdfast.storage;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonException;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;

/**
 * Reads a manifest back. Members it does not know are ignored, because a later build of the same
 * version may add some; a version it does not know is refused, because then a member may mean
 * something else.
 */
final class ManifestReader {

    private ManifestReader() {}

    static Manifest manifest(byte[] bytes) throws ManifestException {
        try (JsonReader reader =
                Json.createReaderFactory(Map.of()).createReader(new ByteArrayInputStream(bytes))) {
            JsonObject json = reader.readObject();
            requireKnownVersion(json);
            Manifest manifest =
                    new Manifest(
                            identity(json),
                            origin(json),
                            moments(json),
                            member(json, "machine", JsonObject.class),
                            fingerprint(member(json, "fingerprint", JsonObject.class)),
                            string(json, "createdBy"),
                            encryption(json),
                            parts(json),
                            texts(json, "labels", Function.identity()));
            requireTotals(json, manifest);
            return manifest;
        } catch (JsonException
                | IllegalArgumentException
                | ArithmeticException
                | ClassCastException
                | DateTimeException malformed) {
            throw new ManifestException(
                    "the manifest cannot be read: " + malformed.getMessage(), malformed);
        }
    }

    private static void requireKnownVersion(JsonObject json) throws ManifestException {
        long version = number(json, "version");
        if (version != Manifest.VERSION) {
            throw new ManifestException(
                    "manifest version "
                            + version
                            + " is not known here; this build reads version "
                            + Manifest.VERSION);
        }
    }

    private static void requireTotals(JsonObject json, Manifest manifest) throws ManifestException {
        if (number(json, "rawBytes") != manifest.rawBytes()
                || number(json, "storedBytes") != manifest.storedBytes()) {
            throw new ManifestException("the manifest's totals are not those of its parts");
        }
    }

    private static Manifest.Identity identity(JsonObject json) {
        JsonObject name = isNull(json, "name") ? null : member(json, "name", JsonObject.class);
        return new Manifest.Identity(
                UUID.fromString(string(json, "snapshotId")),
                UUID.fromString(string(json, "projectId")),
                UUID.fromString(string(json, "uploadId")),
                Manifest.Kind.valueOf(string(json, "kind")),
                name == null
                        ? null
                        : new Manifest.Name(string(name, "short"), string(name, "tag")));
    }

    private static Manifest.Origin origin(JsonObject json) {
        JsonObject template = member(json, "template", JsonObject.class);
        String parent = nullable(json, "parentSnapshotId");
        return new Manifest.Origin(
                string(json, "sandboxId"),
                new Manifest.Template(
                        string(template, "name"), new Sha256(string(template, "sha256"))),
                parent == null ? null : UUID.fromString(parent));
    }

    private static Manifest.Moments moments(JsonObject json) {
        String expiresAt = nullable(json, "expiresAt");
        return new Manifest.Moments(
                Instant.parse(string(json, "createdAt")),
                Instant.parse(string(json, "savedAt")),
                expiresAt == null ? null : Instant.parse(expiresAt),
                Duration.parse(string(json, "frozenFor")));
    }

    private static Fingerprint fingerprint(JsonObject json) {
        SortedSet<String> features = new TreeSet<>();
        member(json, "cpuFeatures", JsonArray.class)
                .getValuesAs(JsonString.class)
                .forEach(feature -> features.add(feature.getString()));
        return new Fingerprint(
                new Sha256(string(json, "runtimeSha256")),
                string(json, "platform"),
                texts(json, "flags", Function.identity()),
                string(json, "architecture"),
                features,
                new Sha256(string(json, "templateSha256")),
                texts(json, "mounts", Fingerprint.MountMode::of),
                Math.toIntExact(number(json, "agentProtocol")),
                Math.toIntExact(number(json, "stateFormat")));
    }

    private static Manifest.Encryption encryption(JsonObject json) {
        String cipher = nullable(json, "cipher");
        String keyId = nullable(json, "keyId");
        return cipher == null && keyId == null ? null : new Manifest.Encryption(cipher, keyId);
    }

    private static List<Part> parts(JsonObject json) {
        return member(json, "parts", JsonArray.class).getValuesAs(JsonObject.class).stream()
                .map(ManifestReader::part)
                .toList();
    }

    private static Part part(JsonObject json) {
        return new Part(
                string(json, "name"),
                new ObjectKey(string(json, "key")),
                number(json, "rawLength"),
                new Sha256(string(json, "rawSha256")),
                number(json, "storedLength"),
                new Sha256(string(json, "storedSha256")),
                Part.Compression.of(string(json, "compression")));
    }

    private static <V> SortedMap<String, V> texts(
            JsonObject json, String name, Function<String, V> value) {
        SortedMap<String, V> texts = new TreeMap<>();
        JsonObject entries = member(json, name, JsonObject.class);
        entries.keySet().forEach(key -> texts.put(key, value.apply(string(entries, key))));
        return texts;
    }

    static long number(JsonObject json, String name) {
        return member(json, name, JsonNumber.class).longValueExact();
    }

    static String string(JsonObject json, String name) {
        return member(json, name, JsonString.class).getString();
    }

    private static String nullable(JsonObject json, String name) {
        return isNull(json, name) ? null : string(json, name);
    }

    private static boolean isNull(JsonObject json, String name) {
        return json.getOrDefault(name, JsonValue.NULL).equals(JsonValue.NULL);
    }

    static <T extends JsonValue> T member(JsonObject json, String name, Class<T> kind) {
        JsonValue value = json.get(name);
        if (!kind.isInstance(value)) {
            throw new IllegalArgumentException(
                    "member \"" + name + "\" is missing or of another kind");
        }
        return kind.cast(value);
    }
}
