package dev.holdfast.storage;

import jakarta.json.Json;
import jakarta.json.stream.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * Writes a manifest as JSON. The order is fixed by hand and nothing depends on a library's habits,
 * so that the same manifest is the same bytes and storing it twice is a no-op.
 */
final class ManifestWriter {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final JsonGenerator json = Json.createGeneratorFactory(Map.of()).createGenerator(bytes);

    private ManifestWriter() {}

    static byte[] bytes(Manifest manifest) {
        ManifestWriter writer = new ManifestWriter();
        writer.write(manifest);
        return writer.bytes.toByteArray();
    }

    private void write(Manifest manifest) {
        json.writeStartObject();
        json.write("version", Manifest.VERSION);
        identity(manifest.identity());
        origin(manifest.origin());
        moments(manifest.moments());
        json.write("createdBy", manifest.createdBy());
        json.write("machine", manifest.machine());
        fingerprint(manifest.fingerprint());
        encryption(manifest.encryption());
        json.writeStartArray("parts");
        manifest.parts().forEach(this::part);
        json.writeEnd();
        json.write("rawBytes", manifest.rawBytes());
        json.write("storedBytes", manifest.storedBytes());
        texts("labels", manifest.labels());
        json.writeEnd();
        json.close();
    }

    private void identity(Manifest.Identity identity) {
        json.write("snapshotId", identity.snapshotId().toString());
        json.write("projectId", identity.projectId().toString());
        json.write("uploadId", identity.uploadId().toString());
        json.write("kind", identity.kind().name());
        if (identity.name() == null) {
            json.writeNull("name");
        } else {
            json.writeStartObject("name");
            json.write("short", identity.name().shortName());
            json.write("tag", identity.name().tag());
            json.writeEnd();
        }
    }

    private void origin(Manifest.Origin origin) {
        json.write("sandboxId", origin.sandboxId());
        json.writeStartObject("template");
        json.write("name", origin.template().name());
        json.write("sha256", origin.template().digest().hex());
        json.writeEnd();
        UUID parent = origin.parentSnapshotId();
        nullable("parentSnapshotId", parent == null ? null : parent.toString());
    }

    private void moments(Manifest.Moments moments) {
        json.write("createdAt", moments.createdAt().toString());
        json.write("savedAt", moments.savedAt().toString());
        Instant expiresAt = moments.expiresAt();
        nullable("expiresAt", expiresAt == null ? null : expiresAt.toString());
        json.write("frozenFor", moments.frozenFor().toString());
    }

    private void fingerprint(Fingerprint fingerprint) {
        json.writeStartObject("fingerprint");
        json.write("runtimeSha256", fingerprint.runtimeDigest().hex());
        json.write("platform", fingerprint.platform());
        texts("flags", fingerprint.flags());
        json.write("architecture", fingerprint.architecture());
        json.writeStartArray("cpuFeatures");
        fingerprint.cpuFeatures().forEach(json::write);
        json.writeEnd();
        json.write("templateSha256", fingerprint.templateDigest().hex());
        json.writeStartObject("mounts");
        fingerprint.mounts().forEach((destination, mode) -> json.write(destination, mode.word()));
        json.writeEnd();
        json.write("agentProtocol", fingerprint.agentProtocol());
        json.write("stateFormat", fingerprint.stateFormat());
        json.writeEnd();
    }

    private void encryption(Manifest.Encryption encryption) {
        nullable("cipher", encryption == null ? null : encryption.cipher());
        nullable("keyId", encryption == null ? null : encryption.keyId());
    }

    private void part(Part part) {
        json.writeStartObject();
        json.write("name", part.name());
        json.write("key", part.key().value());
        json.write("rawLength", part.rawLength());
        json.write("rawSha256", part.rawDigest().hex());
        json.write("storedLength", part.storedLength());
        json.write("storedSha256", part.storedDigest().hex());
        json.write("compression", part.compression().word());
        json.writeEnd();
    }

    private void texts(String name, Map<String, String> entries) {
        json.writeStartObject(name);
        entries.forEach(json::write);
        json.writeEnd();
    }

    private void nullable(String name, String value) {
        if (value == null) {
            json.writeNull(name);
        } else {
            json.write(name, value);
        }
    }
}
