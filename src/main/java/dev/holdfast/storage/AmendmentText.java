package dev.holdfast.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.stream.JsonGenerator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;

/**
 * An amendment as JSON. Its last member is the digest of all bytes before that member: a text that
 * was cut off, mixed or altered is told from a whole one without trust in how JSON is written.
 */
final class AmendmentText {

    private static final String SEAL = ",\"sha256\":\"%s\"}";
    private static final int SEAL_LENGTH = SEAL.formatted("0".repeat(64)).length();

    private AmendmentText() {}

    static byte[] bytes(Amendment amendment) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = Json.createGeneratorFactory(Map.of()).createGenerator(bytes)) {
            json.writeStartObject()
                    .write("version", Amendment.VERSION)
                    .write("snapshotId", amendment.snapshotId().toString())
                    .write("number", amendment.number())
                    .write("facts", amendment.facts())
                    .writeEnd();
        }
        byte[] open = Arrays.copyOf(bytes.toByteArray(), bytes.size() - 1);
        byte[] seal = seal(open);
        byte[] all = Arrays.copyOf(open, open.length + seal.length);
        System.arraycopy(seal, 0, all, open.length, seal.length);
        return all;
    }

    /**
     * @throws IllegalArgumentException it is not whole, or of a version unknown here
     */
    static Amendment amendment(byte[] bytes) {
        int length = Math.max(0, bytes.length - SEAL_LENGTH);
        byte[] open = Arrays.copyOf(bytes, length);
        if (!Arrays.equals(seal(open), Arrays.copyOfRange(bytes, length, bytes.length))) {
            throw new IllegalArgumentException("its digest is not that of its content");
        }
        try (JsonReader reader =
                Json.createReaderFactory(Map.of()).createReader(new ByteArrayInputStream(bytes))) {
            JsonObject json = reader.readObject();
            long version = ManifestReader.number(json, "version");
            if (version != Amendment.VERSION) {
                throw new IllegalArgumentException(
                        "version "
                                + version
                                + " is not known here; this build reads version "
                                + Amendment.VERSION);
            }
            return new Amendment(
                    UUID.fromString(ManifestReader.string(json, "snapshotId")),
                    ManifestReader.number(json, "number"),
                    ManifestReader.member(json, "facts", JsonObject.class));
        } catch (JsonException | ClassCastException | ArithmeticException malformed) {
            throw new IllegalArgumentException(
                    "it is no amendment: " + malformed.getMessage(), malformed);
        }
    }

    private static byte[] seal(byte[] open) {
        return SEAL.formatted(Sha256.of(open).hex()).getBytes(UTF_8);
    }
}
