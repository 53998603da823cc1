package dev.holdfast.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.problem.JsonBinding;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.ws.rs.core.MediaType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotPageWriterTest {

    private static final Instant AT = Instant.parse("2026-03-01T10:15:30.120456Z");
    private static final Instant SHARP = Instant.parse("2026-03-01T10:15:00Z");

    @Test
    void writesWhatJsonBindingDoes() throws IOException {
        for (var rows : List.of(List.<SnapshotView>of(), List.of(full(), bare()))) {
            for (var page :
                    List.of(
                            new SnapshotPage(rows, "further", "back", 2, 10_000L, false),
                            new SnapshotPage(rows, null, null, null, null, null))) {
                assertThat(written(page)).isEqualTo(read(JsonBinding.JSON.toJson(page)));
            }
        }
    }

    private static JsonObject written(SnapshotPage page) throws IOException {
        var out = new ByteArrayOutputStream();
        new SnapshotPageWriter()
                .writeTo(
                        page,
                        SnapshotPage.class,
                        SnapshotPage.class,
                        null,
                        MediaType.APPLICATION_JSON_TYPE,
                        null,
                        out);
        return read(out.toString(StandardCharsets.UTF_8));
    }

    private static JsonObject read(String json) {
        try (var reader = Json.createReader(new StringReader(json))) {
            return reader.readObject();
        }
    }

    private static SnapshotView full() {
        var guard = new SnapshotView.GuardView("für „morgen“ \u0001\n</script>", "key:1", AT, SHARP);
        return new SnapshotView(
                "5c0e6f5a-0000-4000-8000-000000000001",
                "5c0e6f5a-0000-4000-8000-000000000002",
                List.of("claims/deps:v1"),
                "claims/deps:v0",
                "saved",
                "saved",
                "snapshot",
                Long.MAX_VALUE,
                0,
                new SnapshotView.Size(2, 512, 1024),
                "i3kq9v0x7c2m5n8p1r4t6",
                "5c0e6f5a-0000-4000-8000-000000000003",
                "base",
                "digest",
                AT,
                "key:1",
                SHARP,
                AT,
                12L,
                true,
                "memory",
                "complete",
                new SnapshotView.FingerprintView("b", "p", "a", null, 1, 2),
                List.of("one", "two"),
                new VerdictView(
                        false,
                        "incompatible_runtime",
                        "It \"cannot\" be restored.",
                        List.of(),
                        List.of(
                                new VerdictView.DifferenceView("w", "cpu", "avx", null),
                                new VerdictView.DifferenceView("w", "build", "1", "2"))),
                "expired",
                AT,
                new SnapshotView.FailureView("capture_failed", "no", Map.of("needed", 7L)),
                new SnapshotView.CleanupView(3, "gone", AT),
                "a note",
                Map.of("run", "7", "a key", "ü"),
                AT,
                AT,
                4,
                guard,
                guard,
                SHARP,
                List.of(new MountView("v", "data", "/mnt/data")));
    }

    private static SnapshotView bare() {
        return new SnapshotView(
                "5c0e6f5a-0000-4000-8000-000000000004",
                "5c0e6f5a-0000-4000-8000-000000000005",
                List.of(),
                null,
                "uploads",
                "uploading",
                "auto",
                0,
                0,
                new SnapshotView.Size(1, 1, 1),
                "source",
                null,
                "base",
                null,
                AT,
                "system",
                null,
                null,
                null,
                false,
                "files",
                "pending",
                null,
                List.of(),
                new VerdictView(true, "restorable", "", List.of("worker-1"), null),
                null,
                null,
                new SnapshotView.FailureView("capture_failed", "no", null),
                null,
                null,
                Map.of(),
                null,
                null,
                null,
                null,
                null,
                null,
                List.of());
    }
}
