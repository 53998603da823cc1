package dev.holdfast.envd;

import dev.holdfast.agent.Context;
import dev.holdfast.agent.ContextId;
import dev.holdfast.agent.ExecutionEvent;
import dev.holdfast.agent.ExecutionOrder;
import dev.holdfast.agent.OutputChannel;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the code interpreter is asked, and what it tells: a JSON object per line, in ASCII. */
final class ExecutionMessages {

    private static final int FIRST_BEYOND_ASCII = 0x80;
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private static final Set<String> KNOWN =
            Set.of(
                    "text",
                    "html",
                    "markdown",
                    "svg",
                    "png",
                    "jpeg",
                    "pdf",
                    "latex",
                    "json",
                    "javascript",
                    "data",
                    "chart");

    private ExecutionMessages() {}

    static ExecutionOrder order(Message request) {
        var code =
                request.optionalText("code")
                        .orElseThrow(() -> new RestError(400, "member 'code' is missing"));
        if (code.getBytes(StandardCharsets.UTF_8).length > ExecutionOrder.LONGEST) {
            throw new RestError(
                    413, "the code is longer than 1 MiB; upload it as a file and run that");
        }
        var context = optional(request, "context_id");
        var language = optional(request, "language");
        if (context.isPresent() && language.isPresent()) {
            throw new RestError(
                    400, "give a context or a language, not both: a context has its own");
        }
        return new ExecutionOrder(
                code, context.map(ExecutionMessages::context), language, request.pairs("env_vars"));
    }

    /** What can be no ID names nothing. */
    static ContextId context(String id) {
        if (!ContextId.isWellFormed(id)) {
            throw new RestError(404, "context not found");
        }
        return new ContextId(id);
    }

    static JsonObject context(Context context) {
        return Answers.BUILDERS
                .createObjectBuilder()
                .add("id", context.id().value())
                .add("language", context.language())
                .add("cwd", context.directory())
                .build();
    }

    static JsonArray contexts(List<Context> contexts) {
        var list = Answers.BUILDERS.createArrayBuilder();
        contexts.forEach(context -> list.add(context(context)));
        return list.build();
    }

    static byte[] line(ExecutionEvent event, Instant now) {
        if (event instanceof ExecutionEvent.Started started) {
            return line(typed("number_of_executions").add("execution_count", started.count()));
        }
        if (event instanceof ExecutionEvent.Output output) {
            var type = output.channel() == OutputChannel.STDERR ? "stderr" : "stdout";
            return line(typed(type).add("text", output.text()).add("timestamp", now.toString()));
        }
        if (event instanceof ExecutionEvent.Result result) {
            return line(result(result));
        }
        var failed = (ExecutionEvent.Failed) event;
        return line(
                typed("error")
                        .add("name", failed.name())
                        .add("value", failed.value())
                        .add("traceback", failed.traceback()));
    }

    /**
     * Some clients look for what they do not know beside what they know, some in a member of it.
     */
    private static JsonObjectBuilder result(ExecutionEvent.Result result) {
        var message = Answers.BUILDERS.createObjectBuilder();
        var extra = Answers.BUILDERS.createObjectBuilder();
        var others = false;
        for (var format : result.formats().entrySet()) {
            message.add(format.getKey(), format.getValue());
            if (!KNOWN.contains(format.getKey())) {
                extra.add(format.getKey(), format.getValue());
                others = true;
            }
        }
        if (others) {
            message.add("extra", extra);
        }
        // Last, because a value may have a format of such a name.
        return message.add("type", "result").add("is_main_result", result.main());
    }

    static byte[] keepalive() {
        return line(typed("keepalive"));
    }

    static byte[] end() {
        return line(typed("end_of_execution"));
    }

    /**
     * The end of an answer whose client lets too much of it wait: the clients know no other way.
     */
    static byte[] readerTooSlow(Instant now) {
        var words = ConnectError.readerTooSlow().getMessage();
        var failed = line(new ExecutionEvent.Failed("ReaderTooSlow", words, words), now);
        var end = end();
        return ByteBuffer.allocate(failed.length + end.length).put(failed).put(end).array();
    }

    private static JsonObjectBuilder typed(String type) {
        return Answers.BUILDERS.createObjectBuilder().add("type", type);
    }

    private static byte[] line(JsonObjectBuilder message) {
        return (ascii(message.build().toString()) + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Whatever is not ASCII stands inside a text, where it may be escaped. */
    static String ascii(String json) {
        int at = 0;
        while (at < json.length() && json.charAt(at) < FIRST_BEYOND_ASCII) {
            at++;
        }
        if (at == json.length()) {
            return json;
        }
        var text = new StringBuilder(json.length() + 64).append(json, 0, at);
        for (; at < json.length(); at++) {
            char c = json.charAt(at);
            if (c < FIRST_BEYOND_ASCII) {
                text.append(c);
            } else {
                text.append("\\u")
                        .append(HEX[c >> 12])
                        .append(HEX[c >> 8 & 15])
                        .append(HEX[c >> 4 & 15])
                        .append(HEX[c & 15]);
            }
        }
        return text.toString();
    }

    static Optional<String> optional(Message request, String name) {
        return request.optionalText(name).filter(text -> !text.isEmpty());
    }
}
