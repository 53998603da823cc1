package dev.holdfast.problem;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ProblemBodyTest {
    private static final Problem BUSY = new Problem(Reason.SANDBOX_BUSY, "It is \"busy\".");

    private static JsonObject json(ProblemBody body) {
        try (var reader = Json.createReader(new ByteArrayInputStream(body.content()))) {
            return reader.readObject();
        }
    }

    @Test
    void speaksE2bWithANumberForTheCode() {
        var body = ProblemBody.of(BUSY, "/sandboxes/i1", "r1");

        assertThat(body.mediaType()).isEqualTo("application/json");
        assertThat(json(body))
                .isEqualTo(
                        Json.createObjectBuilder()
                                .add("code", 409)
                                .add("message", "It is \"busy\".")
                                .add("reason", "sandbox_busy")
                                .add("error_code", "sandbox_busy")
                                .add("requestId", "r1")
                                .build());
    }

    @Test
    void speaksRfc9457BelowTheNativeRoot() {
        var body = ProblemBody.of(BUSY, "/api/v1/snapshots", "r1");

        assertThat(body.mediaType()).isEqualTo("application/problem+json");
        assertThat(json(body).getInt("status")).isEqualTo(409);
        assertThat(json(body).getString("title")).isEqualTo("Sandbox busy");
        assertThat(json(body).getString("detail")).isEqualTo("It is \"busy\".");
        assertThat(json(body).getString("reason")).isEqualTo("sandbox_busy");
        assertThat(json(body).getString("type")).isEqualTo("urn:holdfast:problem:sandbox_busy");
    }

    @Test
    void doesNotTakeANeighbourForTheNativeRoot() {
        assertThat(ProblemBody.isNative("/api/v1")).isTrue();
        assertThat(ProblemBody.isNative("/api/v10/x")).isFalse();
        assertThat(ProblemBody.isNative("/x/api/v1/x")).isFalse();
    }

    @Test
    void writesMembersOfEveryKind() {
        var id = UUID.randomUUID();
        var problem =
                BUSY.with("uploadId", id)
                        .with("limit", Long.MAX_VALUE)
                        .with("ratio", 0.5)
                        .with("full", true)
                        .with("nothing", null)
                        .with("occupants", List.of("i1", "i2"))
                        .with("differs", Map.of("cpu", Arrays.asList(1, null)));

        var json = json(ProblemBody.of(problem, "/", "r"));

        assertThat(json.getString("uploadId")).isEqualTo(id.toString());
        assertThat(json.getJsonNumber("limit").longValueExact()).isEqualTo(Long.MAX_VALUE);
        assertThat(json.getJsonNumber("ratio").doubleValue()).isEqualTo(0.5);
        assertThat(json.getBoolean("full")).isTrue();
        assertThat(json.isNull("nothing")).isTrue();
        assertThat(json.getJsonArray("occupants")).hasSize(2);
        assertThat(json.getJsonObject("differs").getJsonArray("cpu").isNull(1)).isTrue();
    }
}
