package dev.holdfast.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.ExecutionEvent;
import dev.holdfast.agent.OutputChannel;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExecutionLinesTest {

    private final ExecutionLines lines = new ExecutionLines();

    @Test
    void tellsWhatAPageCanShowAndNothingElse() {
        JsonObject line =
                lines.of(
                                new ExecutionEvent.Result(
                                        true,
                                        Map.of(
                                                "text", Json.createValue("42"),
                                                "javascript", Json.createValue("alert(1)"),
                                                "application/x-own", Json.createValue("x"))))
                        .orElseThrow();

        assertThat(line.getString("type")).isEqualTo("result");
        assertThat(line.getJsonObject("formats")).containsOnlyKeys("text");
        assertThat(line.getJsonArray("omitted")).isEmpty();
    }

    @Test
    void endsOutputAtABoundAndSaysSoOnce() {
        String text = "x".repeat(1024 * 1024);
        long told = 0;
        int cuts = 0;
        for (int i = 0; i < 20; i++) {
            Optional<JsonObject> line =
                    lines.of(new ExecutionEvent.Output(OutputChannel.STDOUT, text));
            told +=
                    line.filter(each -> each.containsKey("text"))
                            .map(each -> each.getString("text").length())
                            .orElse(0);
            cuts += line.filter(each -> each.getString("type").equals("cut")).isPresent() ? 1 : 0;
        }

        assertThat(told).isEqualTo(4 * 1024 * 1024);
        assertThat(cuts).isEqualTo(1);
    }

    @Test
    void leavesOutPicturesThatAreTooLargeAndNamesThem() {
        JsonObject line =
                lines.of(
                                new ExecutionEvent.Result(
                                        false,
                                        Map.of(
                                                "png",
                                                Json.createValue("A".repeat(7 * 1024 * 1024)),
                                                "text",
                                                Json.createValue("<Figure>"))))
                        .orElseThrow();

        assertThat(line.getJsonObject("formats")).containsOnlyKeys("text");
        assertThat(line.getJsonArray("omitted").getString(0)).isEqualTo("png");
    }

    @Test
    void tellsWhyNothingMoreCanBeTold() {
        JsonObject known = lines.lost(new Problem(Reason.SANDBOX_NOT_RUNNING, "It ended."));
        JsonObject unknown = lines.lost(new IllegalStateException("secret"));

        assertThat(known.getString("reason")).isEqualTo("sandbox_not_running");
        assertThat(unknown.toString()).doesNotContain("secret");
    }
}
