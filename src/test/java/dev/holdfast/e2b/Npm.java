package dev.holdfast.e2b;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Programs on packages of npm, in a directory that has their lock file. */
public final class Npm {

    private static final String LOCK = "package-lock.json";

    private Npm() {}

    /** Lays the sources there and installs exactly what their lock file names, if that changed. */
    public static void install(Path source, Path place) throws IOException, InterruptedException {
        var installed = place.resolve("node_modules/.holdfast-lock");
        var wanted = Files.readString(source.resolve(LOCK));
        Sdk.copy(source, place);
        try (var alone = Sdk.alone(place)) {
            if (!Files.exists(installed) || !Files.readString(installed).equals(wanted)) {
                Sdk.installBy(place, "npm", "ci", "--no-audit", "--no-fund");
                Files.writeString(installed, wanted);
            }
        }
    }

    /**
     * Runs a program that was installed.
     *
     * @throws AssertionError with what it said when it does not end well and in time
     */
    public static void run(
            Path place, Duration limit, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        var log = place.resolve(command[command.length - 1] + ".log");
        if (Sdk.execute(place, limit, log, environment, command) != 0) {
            throw new AssertionError(String.join(" ", command) + ":\n" + Sdk.read(log));
        }
    }
}
