package dev.holdfast.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One container of podman's, of an image that {@code docker/build.sh} made. */
final class Podman implements AutoCloseable {

    /** What a program said, standard error included, and how it ended. */
    record Answer(int code, String output) {
        String orThrow() throws IOException {
            if (code != 0) {
                throw new IOException("podman ended with " + code + ": " + output);
            }
            return output.strip();
        }
    }

    private static final String PROGRAM = "docker/podman.sh";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String name;

    private Podman(String name) {
        this.name = name;
    }

    static Answer call(String... arguments) throws IOException, InterruptedException {
        var line = new ArrayList<String>(List.of(PROGRAM));
        line.addAll(Arrays.asList(arguments));
        return run(PATIENCE, line);
    }

    /** Any program that works on podman's images. */
    static Answer run(Duration patience, List<String> line)
            throws IOException, InterruptedException {
        var said = Files.createTempFile("podman", ".out");
        try {
            var builder = new ProcessBuilder(line).redirectErrorStream(true);
            builder.redirectOutput(said.toFile()).redirectInput(Path.of("/dev/null").toFile());
            builder.environment().put("HOLDFAST_CACHE", Lane.property("holdfast.test.cache"));
            // There need be no systemd; who wants to know asks.
            builder.environment().put("DISABLE_HC_SYSTEMD", "true");
            var process = builder.start();
            if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new IOException(line + " hangs: " + Files.readString(said));
            }
            return new Answer(process.exitValue(), Files.readString(said));
        } finally {
            Files.delete(said);
        }
    }

    /** Runs a program in a fresh container of an image, by its entry point, and ends with it. */
    static Answer once(String image, List<String> options, String... command)
            throws IOException, InterruptedException {
        var line =
                new ArrayList<String>(List.of("run", "--rm", "--network=none", "--no-healthcheck"));
        line.addAll(limits());
        line.addAll(options);
        line.add("localhost/" + image);
        line.addAll(Arrays.asList(command));
        return call(line.toArray(String[]::new));
    }

    /** In the host's network, with a volume of its own for its state. */
    static Podman start(
            String name, String image, List<String> options, Map<String, String> environment)
            throws IOException, InterruptedException {
        var container = new Podman(name);
        container.close();
        var line = new ArrayList<String>(List.of("run", "--detach", "--name=" + name));
        line.addAll(List.of("--network=host", "--log-driver=k8s-file"));
        line.add("--volume=" + name + ":/var/lib/holdfast");
        line.addAll(limits());
        line.addAll(options);
        environment.forEach((variable, value) -> line.add("--env=" + variable + "=" + value));
        line.add("localhost/" + image);
        call(line.toArray(String[]::new)).orThrow();
        return container;
    }

    /** The machine of the tests need not be one that may raise its own limits. */
    private static List<String> limits() {
        return List.of("--ulimit=nofile=16384:16384", "--ulimit=nproc=8192:8192");
    }

    Answer exec(String... command) throws IOException, InterruptedException {
        var line = new ArrayList<String>(List.of("exec", name));
        line.addAll(Arrays.asList(command));
        return call(line.toArray(String[]::new));
    }

    /** By its own health check. */
    void awaitHealthy(Duration patience) throws IOException, InterruptedException {
        var end = System.nanoTime() + patience.toNanos();
        while (call("healthcheck", "run", name).code() != 0) {
            if (System.nanoTime() > end || !running()) {
                throw new IOException(name + " is not healthy: " + log());
            }
            Thread.sleep(1000);
        }
    }

    boolean running() throws IOException, InterruptedException {
        return call("inspect", "--format={{.State.Running}}", name).orThrow().equals("true");
    }

    /** TERM, and KILL when the time is over; gives its exit code. */
    int stop(Duration patience) throws IOException, InterruptedException {
        call("stop", "--time=" + patience.toSeconds(), name).orThrow();
        return Integer.parseInt(call("inspect", "--format={{.State.ExitCode}}", name).orThrow());
    }

    String log() throws IOException, InterruptedException {
        return call("logs", name).output();
    }

    /** With its volume; nothing to do when there is none. */
    @Override
    public void close() throws IOException, InterruptedException {
        call("rm", "--force", "--volumes", "--time=20", "--ignore", name).orThrow();
        call("volume", "rm", "--force", name);
    }
}
