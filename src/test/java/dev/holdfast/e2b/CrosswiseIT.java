package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What one of the unmodified packages keeps, the other goes on with. */
class CrosswiseIT {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Map<String, String> environment =
            Map.of(
                    "E2B_API_KEY", SharedServer.apiKey(),
                    "E2B_API_URL", SharedServer.api().toString(),
                    "E2B_SANDBOX_URL", SharedServer.api().toString());
    private final NpmSdk npm =
            new NpmSdk("interpreter-2.8", "@e2b/code-interpreter", Set.of(), () -> environment);
    private final PythonSdk python = new PythonSdk("python", () -> environment);

    @Test
    @Tag("R3")
    @Tag("R12")
    @Tag("R60a")
    void loadsWithOnePackageWhatTheOtherSaved() throws Exception {
        npm.install();
        python.install();
        var javascript = List.of("node", "crosswise.mjs");
        var venv = List.of("venv/bin/python", "crosswise.py");

        var saved = run(npm.place(), javascript, "save", "42");
        assertThat(run(python.place(), venv, "load", saved)).isEqualTo("42");
        var back = run(python.place(), venv, "save", "43");
        assertThat(run(npm.place(), javascript, "load", back)).isEqualTo("43");
    }

    private String run(Path place, List<String> program, String... arguments) throws Exception {
        var command = Stream.concat(program.stream(), Stream.of(arguments)).toArray(String[]::new);
        var log = place.resolve("crosswise.log");
        var code = Sdk.execute(place, LIMIT, log, environment, command);
        assertThat(code).as(() -> Sdk.read(log)).isZero();
        // A runner may have said something of its own before.
        var lines = Files.readAllLines(log);
        return lines.get(lines.size() - 1);
    }
}
