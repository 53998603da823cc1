package dev.holdfast.envd;

import dev.holdfast.agent.OutputChannel;
import dev.holdfast.agent.ProcessEnd;
import dev.holdfast.agent.ProcessEntry;
import dev.holdfast.agent.ProcessRef;
import dev.holdfast.agent.ProcessStart;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The messages of {@code process.Process}: what is asked and what is told. */
final class ProcessMessages {

    private static final byte[] KEEPALIVE = ascii("{\"event\":{\"keepalive\":{}}}");
    private static final byte[] TAIL = ascii("\"}}}");

    /** What the shell calls a signal that ended a process. */
    private static final Map<Integer, String> SIGNALS =
            Map.ofEntries(
                    Map.entry(1, "hangup"),
                    Map.entry(2, "interrupt"),
                    Map.entry(3, "quit"),
                    Map.entry(4, "illegal instruction"),
                    Map.entry(5, "trace/breakpoint trap"),
                    Map.entry(6, "aborted"),
                    Map.entry(7, "bus error"),
                    Map.entry(8, "floating point exception"),
                    Map.entry(9, "killed"),
                    Map.entry(10, "user defined signal 1"),
                    Map.entry(11, "segmentation fault"),
                    Map.entry(12, "user defined signal 2"),
                    Map.entry(13, "broken pipe"),
                    Map.entry(14, "alarm clock"),
                    Map.entry(15, "terminated"));

    private ProcessMessages() {}

    static ProcessStart start(Message request, Optional<String> user) {
        Message process =
                request.message("process")
                        .orElseThrow(() -> ConnectError.invalid("a process is missing"));
        if (process.text("cmd").isEmpty()) {
            throw ConnectError.invalid("a process needs a command");
        }
        return new ProcessStart(
                process.text("cmd"),
                process.texts("args"),
                process.pairs("envs"),
                process.optionalText("cwd").filter(path -> !path.isEmpty()),
                user,
                request.optionalText("tag").filter(tag -> !tag.isEmpty()),
                request.message("pty").map(ProcessMessages::terminal),
                request.truth("stdin", true));
    }

    static ProcessStart.Terminal terminal(Message pty) {
        Message size =
                pty.message("size")
                        .orElseThrow(() -> ConnectError.invalid("a terminal needs a size"));
        return new ProcessStart.Terminal(side(size, "cols"), side(size, "rows"));
    }

    private static int side(Message size, String name) {
        long value = size.number(name).orElse(0);
        if (value < 1 || value > 65535) {
            throw ConnectError.invalid("a terminal has 1 to 65535 columns and rows");
        }
        return (int) value;
    }

    static ProcessRef which(Message request) {
        Message process =
                request.message("process")
                        .orElseThrow(() -> ConnectError.invalid("a process is missing"));
        Optional<String> tag = process.optionalText("tag").filter(t -> !t.isEmpty());
        if (tag.isPresent()) {
            return ProcessRef.tag(tag.get());
        }
        long pid = process.number("pid").orElse(0);
        if (pid < 1 || pid > Integer.MAX_VALUE) {
            throw ConnectError.invalid("a process is named by its pid or its tag");
        }
        return ProcessRef.pid(pid);
    }

    /** Bytes for a process. */
    record Input(boolean terminal, byte[] bytes) {}

    static Input input(Message request) {
        Message input =
                request.message("input")
                        .orElseThrow(() -> ConnectError.invalid("the input is missing"));
        boolean terminal = input.bytes("pty").isPresent();
        return new Input(
                terminal,
                input.bytes(terminal ? "pty" : "stdin")
                        .orElseThrow(() -> ConnectError.invalid("the input is missing")));
    }

    static int signal(Message request) {
        return switch (request.choice("signal")) {
            case "SIGNAL_SIGTERM", "15" -> 15;
            case "SIGNAL_SIGKILL", "9" -> 9;
            default ->
                    throw new ConnectError(
                            ConnectCode.UNIMPLEMENTED,
                            "only SIGNAL_SIGTERM and SIGNAL_SIGKILL are known");
        };
    }

    static JsonObject list(List<ProcessEntry> processes) {
        JsonArrayBuilder all = Answers.BUILDERS.createArrayBuilder();
        processes.forEach(p -> all.add(entry(p)));
        return Answers.BUILDERS.createObjectBuilder().add("processes", all).build();
    }

    private static JsonObjectBuilder entry(ProcessEntry process) {
        JsonObjectBuilder envs = Answers.BUILDERS.createObjectBuilder();
        process.environment().forEach(envs::add);
        JsonObjectBuilder config =
                Answers.BUILDERS
                        .createObjectBuilder()
                        .add("cmd", process.command())
                        .add("args", Answers.BUILDERS.createArrayBuilder(process.arguments()))
                        .add("envs", envs);
        process.directory().ifPresent(path -> config.add("cwd", path));
        JsonObjectBuilder entry =
                Answers.BUILDERS
                        .createObjectBuilder()
                        .add("config", config)
                        .add("pid", process.pid());
        process.tag().ifPresent(tag -> entry.add("tag", tag));
        return entry;
    }

    static byte[] started(long pid) {
        return ascii("{\"event\":{\"start\":{\"pid\":" + pid + "}}}");
    }

    static byte[] keepalive() {
        return KEEPALIVE.clone();
    }

    /** Written by hand: this is the one message that comes by the thousand. */
    static byte[] output(OutputChannel channel, ByteBuffer bytes) {
        byte[] head =
                ascii(
                        switch (channel) {
                            case STDOUT -> "{\"event\":{\"data\":{\"stdout\":\"";
                            case STDERR -> "{\"event\":{\"data\":{\"stderr\":\"";
                            case PTY -> "{\"event\":{\"data\":{\"pty\":\"";
                        });
        ByteBuffer text = Base64.getEncoder().encode(bytes);
        return ByteBuffer.allocate(head.length + text.remaining() + TAIL.length)
                .put(head)
                .put(text)
                .put(TAIL)
                .array();
    }

    static byte[] ended(ProcessEnd end) {
        JsonObjectBuilder told = Answers.BUILDERS.createObjectBuilder();
        if (end.killed()) {
            String status = "signal: " + SIGNALS.getOrDefault(end.signal(), "" + end.signal());
            told.add("exitCode", -1).add("exited", false).add("status", status);
            told.add("error", status);
        } else {
            String status = "exit status " + end.exitCode();
            told.add("exitCode", end.exitCode()).add("exited", true).add("status", status);
            if (end.exitCode() != 0) {
                told.add("error", status);
            }
        }
        JsonObjectBuilder event = Answers.BUILDERS.createObjectBuilder().add("end", told);
        return Answers.BUILDERS
                .createObjectBuilder()
                .add("event", event)
                .build()
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
