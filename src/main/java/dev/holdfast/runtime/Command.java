package dev.holdfast.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One run of a program of the host: bounded in time and in output, without anything of the server's
 * environment (it holds secrets, and runsc hands its own on to the sandbox process).
 */
record Command(int code, String output) {
    private static final int OUTPUT_LIMIT = 64 * 1024;
    private static final int LATE = -2;
    private static final Duration SHORT = Duration.ofSeconds(30);
    private static final String PATH =
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** It was ended because its time was over. */
    boolean late() {
        return code == LATE;
    }

    boolean failed() {
        return code != 0;
    }

    static Command run(String... line) {
        return await(start(List.of(line)), SHORT);
    }

    /** Fails loudly. */
    static String must(String... line) {
        return run(line).orThrow(String.join(" ", line));
    }

    static Command feed(String input, String... line) {
        Process process = start(List.of(line));
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException ended) {
            // It did not want all of its input; its exit code tells why.
        }
        return await(process, SHORT);
    }

    static Process start(List<String> line) {
        return start(line, ProcessBuilder.Redirect.PIPE);
    }

    /** One whose output nobody reads, so that it never waits for that. */
    static Process startSilent(List<String> line) {
        return start(line, ProcessBuilder.Redirect.DISCARD);
    }

    private static Process start(List<String> line, ProcessBuilder.Redirect output) {
        var builder =
                new ProcessBuilder(line)
                        .redirectErrorStream(true)
                        .redirectOutput(output)
                        .directory(new File("/"));
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", PATH, "LC_ALL", "C"));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new MachineFailure(
                    MachineFailure.Reason.NOT_READY, "Cannot run " + line.get(0), e);
        }
    }

    static Command await(Process process, Duration deadline) {
        var late = new AtomicBoolean();
        process.onExit()
                .orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete(
                        (exit, failure) -> {
                            if (failure instanceof TimeoutException) {
                                late.set(true);
                                kill(process);
                            }
                        });
        try (var stdout = process.getInputStream()) {
            byte[] head = stdout.readNBytes(OUTPUT_LIMIT);
            stdout.skip(Long.MAX_VALUE);
            int code = process.waitFor();
            return new Command(
                    late.get() ? LATE : code, new String(head, StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            process.destroyForcibly();
            // Killing a process closes its output on our side as well.
            return new Command(late.get() ? LATE : -1, "Output lost: " + e.getMessage());
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return new Command(-1, "Interrupted");
        }
    }

    /** Its children too: nobody would find them afterwards. */
    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    String orThrow(String what) {
        if (failed()) {
            throw new MachineFailure(
                    MachineFailure.Reason.FAILED, what + " ended with " + code + ": " + output);
        }
        return output;
    }
}
