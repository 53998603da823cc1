package dev.holdfast.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Processes that an earlier launcher left behind, found by the number it wrote down. */
final class Recorded {
    private Recorded() {}

    /**
     * The living process whose number is the file's first line, if its command line has this very
     * argument. A number alone proves nothing: it may have been given to somebody else since.
     */
    static Optional<ProcessHandle> process(Path file, String argument) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        var first = Files.readString(file).lines().findFirst().orElse("").strip();
        if (!first.matches("[1-9][0-9]{0,9}")) {
            return Optional.empty();
        }
        return ProcessHandle.of(Long.parseLong(first))
                .filter(handle -> arguments(handle.pid()).contains(argument));
    }

    /** Ends a process that may have work to finish, and insists after the patience is over. */
    static void end(ProcessHandle handle, Duration patience) {
        handle.destroy();
        if (!await(handle, patience)) {
            kill(handle);
        }
    }

    static void kill(ProcessHandle handle) {
        handle.destroyForcibly();
        if (!await(handle, Duration.ofSeconds(20))) {
            throw new IllegalStateException("process " + handle.pid() + " does not end");
        }
    }

    /** The same for everything that names a file below a directory, which is ours alone. */
    static void killAllOf(Path directory) {
        var below = directory + "/";
        ProcessHandle.allProcesses()
                .filter(handle -> arguments(handle.pid()).stream().anyMatch(a -> a.contains(below)))
                .forEach(Recorded::kill);
    }

    private static boolean await(ProcessHandle handle, Duration patience) {
        try {
            handle.onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return !handle.isAlive();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !handle.isAlive();
        }
    }

    private static List<String> arguments(long pid) {
        try {
            var line = Files.readAllBytes(Path.of("/proc/" + pid + "/cmdline"));
            return Arrays.asList(new String(line, StandardCharsets.UTF_8).split("\0"));
        } catch (IOException e) {
            return List.of();
        }
    }
}
