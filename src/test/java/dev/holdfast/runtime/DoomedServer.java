package dev.holdfast.runtime;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;

/** A server in a JVM of its own, there to be killed. Prints its machines, then works on and on. */
final class DoomedServer implements AutoCloseable {
    private final Process process;
    private final BufferedReader says;

    DoomedServer(Ground ground) {
        try {
            process =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                    "-Xshare:auto",
                                    "-XX:TieredStopAtLevel=1",
                                    "-Dholdfast.test.cache="
                                            + System.getProperty(
                                                    "holdfast.test.cache", "/var/cache/holdfast"),
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    DoomedServer.class.getName(),
                                    ground.home().toString(),
                                    ground.instance())
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            says = new BufferedReader(new InputStreamReader(process.getInputStream()));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    MachineId machine() {
        try {
            return new MachineId(says.readLine());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    public static void main(String[] arguments) throws IOException {
        var ground = new Ground(Path.of(arguments[0]), arguments[1]);
        RunscRuntime runtime = RunscRuntime.open(ground.config(), Clock.systemUTC());
        runtime.adopt(Set.of());
        Machine kept = runtime.start(ground.spec());
        Machine other = runtime.start(ground.spec());
        try (var guest = new Guest(kept)) {
            guest.python("total = 42");
        }
        for (Machine machine : List.of(kept, other)) {
            System.out.println(machine.id());
        }
        for (int i = 0; ; i++) {
            Path image = ground.home().resolve("image" + i);
            runtime.checkpoint(kept.id(), image);
            MachineSpec spec = ground.spec();
            runtime.restore(spec, image);
            runtime.kill(spec.id());
            Files.writeString(image.resolve("done"), "", StandardCharsets.UTF_8);
        }
    }
}
