package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Programs on the unmodified packages that keep {@code total} in a project and load it again. */
public final class Crosswise {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final List<String> NODE = List.of("node", "crosswise.mjs");
    private static final List<String> PYTHON = List.of("venv/bin/python", "crosswise.py");

    private final Map<String, String> environment;
    private final NpmSdk npm;
    private final PythonSdk python;

    public Crosswise(String apiKey) {
        this(SharedServer.api(), apiKey);
    }

    /** In a project of any installation. */
    public Crosswise(URI api, String apiKey) {
        var url = api.toString();
        environment = Map.of("E2B_API_KEY", apiKey, "E2B_API_URL", url, "E2B_SANDBOX_URL", url);
        npm = new NpmSdk("interpreter-2.8", "@e2b/code-interpreter", Set.of(), () -> environment);
        python = new PythonSdk("python", true, () -> environment);
    }

    public void install() throws Exception {
        npm.install();
        python.install();
    }

    /**
     * @param arguments {@code save TOTAL} or {@code load ID}
     * @return the snapshot's ID, or the total
     */
    public String javascript(String... arguments) throws Exception {
        return run(npm.place(), NODE, arguments);
    }

    /** The same by the other package. */
    public String python(String... arguments) throws Exception {
        return run(python.place(), PYTHON, arguments);
    }

    /**
     * A program that works until its input ends; what it says that is no line of its own goes to
     * the log.
     */
    public record Started(String name, Process process, Path log) {}

    /** Starts {@code steady.mjs}. */
    public Started steadyJavascript() throws IOException {
        return start(npm.place(), "node", "steady.mjs");
    }

    /** Starts {@code steady.py}. */
    public Started steadyPython() throws IOException {
        return start(python.place(), "venv/bin/python", "steady.py");
    }

    private Started start(Path place, String... program) throws IOException {
        var name = program[1];
        var log = place.resolve(name + ".log");
        var builder =
                new ProcessBuilder(program[0], name, name)
                        .directory(place.toFile())
                        .redirectError(log.toFile());
        builder.environment().putAll(environment);
        return new Started(name, builder.start(), log);
    }

    /** How another program runs the two. */
    public Map<String, Object> told() {
        return Map.of(
                "javascript", Map.of("place", absolute(npm), "command", NODE),
                "python", Map.of("place", absolute(python), "command", PYTHON),
                "environment", environment);
    }

    private static String absolute(Sdk sdk) {
        return sdk.place().toAbsolutePath().toString();
    }

    private String run(Path place, List<String> program, String... arguments) throws Exception {
        var command = new ArrayList<>(program);
        command.addAll(List.of(arguments));
        var log = place.resolve("crosswise.log");
        var code = Sdk.execute(place, LIMIT, log, environment, command.toArray(String[]::new));
        assertThat(code).as(() -> Sdk.read(log)).isZero();
        // A runner may have said something of its own before.
        var lines = Files.readAllLines(log);
        return lines.get(lines.size() - 1);
    }
}
