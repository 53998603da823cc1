package dev.holdfast.runtime;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Talks to a tiny first process inside a machine: one line asks, one line answers. */
final class Guest implements AutoCloseable {
    private static final String INIT =
            """
            import json, subprocess, sys
            known = {}
            for line in sys.stdin:
                try:
                    asked = json.loads(line)
                except ValueError:
                    continue
                try:
                    if "python" in asked:
                        exec(asked["python"], known)
                        answer = {"code": 0, "text": str(known.get("answer"))}
                    else:
                        done = subprocess.run(["/bin/bash", "-c", asked["shell"]],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, user=asked["user"], timeout=asked["seconds"])
                        answer = {"code": done.returncode,
                            "text": done.stdout.decode("utf-8", "replace")[:20000]}
                except BaseException as failure:
                    answer = {"code": 255, "text": repr(failure)}
                answer["number"] = asked["number"]
                print(json.dumps(answer), flush=True)
            """;

    private final FileChannel in;
    private final FileChannel out;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private int number;

    Guest(Machine machine) {
        try {
            in = FileChannel.open(machine.in(), StandardOpenOption.READ, StandardOpenOption.WRITE);
            out =
                    FileChannel.open(
                            machine.out(), StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> commandLine() {
        return List.of("/usr/bin/python3", "-I", "-S", "-B", "-c", INIT);
    }

    record Answer(int code, String text) {}

    /** As root. */
    Answer shell(String command) {
        return shell(command, 0, Duration.ofSeconds(20));
    }

    Answer shell(String command, int user, Duration limit) {
        return ask(
                Json.createObjectBuilder()
                        .add("shell", command)
                        .add("user", user)
                        .add("seconds", limit.toSeconds()),
                limit.plusSeconds(10));
    }

    /** Runs in the first process itself, which keeps its variables; answers what "answer" holds. */
    String python(String code) {
        Answer answer = ask(Json.createObjectBuilder().add("python", code), Duration.ofSeconds(20));
        if (answer.code() != 0) {
            throw new AssertionError(answer.text());
        }
        return answer.text();
    }

    /** Does not wait for an answer. */
    void tell(String command, int user) {
        write(
                Json.createObjectBuilder()
                        .add("shell", command)
                        .add("user", user)
                        .add("seconds", 600)
                        .add("number", ++number));
    }

    private Answer ask(JsonObjectBuilder question, Duration limit) {
        write(question.add("number", ++number));
        var answer = CompletableFuture.supplyAsync(this::read);
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("The machine does not answer", e);
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private void write(JsonObjectBuilder question) {
        try {
            String line = "\n" + question.build() + "\n";
            var bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                in.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Answer read() {
        while (true) {
            JsonObject answer = Json.createReader(new StringReader(line())).readObject();
            if (answer.getInt("number") == number) {
                return new Answer(answer.getInt("code"), answer.getString("text"));
            }
        }
    }

    private String line() {
        var some = ByteBuffer.allocate(8192);
        try {
            while (true) {
                String text = pending.toString(StandardCharsets.UTF_8);
                int end = text.indexOf('\n');
                if (end >= 0) {
                    pending.reset();
                    pending.writeBytes(text.substring(end + 1).getBytes(StandardCharsets.UTF_8));
                    return text.substring(0, end);
                }
                some.clear();
                int count = out.read(some);
                pending.write(some.array(), 0, count);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try (in;
                out) {
            // Both, whatever the first one says.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
