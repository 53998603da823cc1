package dev.holdfast.workbench;

import dev.holdfast.agent.ExecutionEvent;
import dev.holdfast.agent.OutputChannel;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.json.Json;
import jakarta.json.JsonBuilderFactory;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is told of one execution, a JSON object a line. All of it comes from inside a sandbox, and a
 * browser has to hold it: so there is an end to it, and what is left out is said.
 */
final class ExecutionLines {

    /** What a page can show. Others name programs, or make a browser do something. */
    private static final Set<String> FORMATS =
            Set.of("text", "html", "markdown", "svg", "png", "jpeg", "latex", "json");

    private static final int MOST_OUTPUT = 4 * 1024 * 1024;
    private static final int MOST_RESULTS = 24 * 1024 * 1024;
    private static final int MOST_FORMAT = 6 * 1024 * 1024;
    private static final int LONGEST_ERROR = 64 * 1024;

    /** Kept, because each look-up of the provider walks the class path. */
    private static final JsonBuilderFactory BUILDERS = Json.createBuilderFactory(Map.of());

    private long output;
    private long results;
    private boolean cut;

    JsonObject accepted(String context) {
        return line("accepted").add("context", context).build();
    }

    JsonObject alive() {
        return line("alive").build();
    }

    JsonObject end() {
        return line("end").build();
    }

    /** What becomes of the code cannot be told. */
    JsonObject lost(Throwable why) {
        JsonObjectBuilder lost = line("lost");
        if (why instanceof Problem problem) {
            return lost.add("reason", problem.reason().word())
                    .add("detail", problem.getMessage())
                    .build();
        }
        return lost.add("reason", Reason.INTERNAL_ERROR.word())
                .add("detail", "What becomes of the code cannot be told.")
                .build();
    }

    /** Empty for what is left out without a further word. */
    Optional<JsonObject> of(ExecutionEvent event) {
        if (event instanceof ExecutionEvent.Started started) {
            return Optional.of(line("started").add("count", started.count()).build());
        }
        if (event instanceof ExecutionEvent.Output text) {
            return output(text);
        }
        if (event instanceof ExecutionEvent.Result result) {
            return Optional.of(result(result));
        }
        ExecutionEvent.Failed failed = (ExecutionEvent.Failed) event;
        return Optional.of(
                line("error")
                        .add("name", bounded(failed.name()))
                        .add("value", bounded(failed.value()))
                        .add("traceback", bounded(failed.traceback()))
                        .build());
    }

    private Optional<JsonObject> output(ExecutionEvent.Output said) {
        long room = MOST_OUTPUT - output;
        output += said.text().length();
        if (room <= 0) {
            boolean first = !cut;
            cut = true;
            return first
                    ? Optional.of(line("cut").add("limit", MOST_OUTPUT).build())
                    : Optional.empty();
        }
        String text = said.text();
        return Optional.of(
                line("output")
                        .add(
                                "channel",
                                said.channel() == OutputChannel.STDERR ? "stderr" : "stdout")
                        .add("text", text.length() <= room ? text : text.substring(0, (int) room))
                        .build());
    }

    private JsonObject result(ExecutionEvent.Result result) {
        JsonObjectBuilder formats = BUILDERS.createObjectBuilder();
        var omitted = BUILDERS.createArrayBuilder();
        result.formats()
                .forEach(
                        (name, value) -> {
                            if (!FORMATS.contains(name)) {
                                return;
                            }
                            long size = size(value);
                            if (size > MOST_FORMAT || results + size > MOST_RESULTS) {
                                omitted.add(name);
                                return;
                            }
                            results += size;
                            formats.add(name, value);
                        });
        return line("result")
                .add("main", result.main())
                .add("formats", formats)
                .add("omitted", omitted)
                .build();
    }

    private static long size(JsonValue value) {
        return value instanceof JsonString text
                ? text.getString().length()
                : value.toString().length();
    }

    private static JsonObjectBuilder line(String type) {
        return BUILDERS.createObjectBuilder().add("type", type);
    }

    private static String bounded(String text) {
        return text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR);
    }
}
