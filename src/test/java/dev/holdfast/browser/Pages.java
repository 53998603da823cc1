package dev.holdfast.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.Npm;
import dev.holdfast.run.SharedServer;
import groovy.json.JsonOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Runs a program below {@code src/test/browser} that uses the console's pages on the shared server
 * ({@code console.mjs}). With {@code -Dholdfast.pictures} it also takes pictures of every state.
 */
final class Pages {

    private static final Path SOURCES = Path.of("src/test/browser");
    private static final Path PLACE = Path.of("target/browser");
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    private Pages() {}

    /**
     * @param given what the program finds as {@code given}
     */
    static void run(String program, Map<String, ?> given) throws IOException, InterruptedException {
        run(program, given, Map.of());
    }

    /**
     * @param more of the program's environment
     */
    static void run(String program, Map<String, ?> given, Map<String, String> more)
            throws IOException, InterruptedException {
        boolean pictures = System.getProperty("holdfast.pictures") != null;
        Path place = PLACE.resolve("pictures").toAbsolutePath();
        Map<String, String> environment = new HashMap<>(more);
        environment.put("HOLDFAST_API", SharedServer.api().toString());
        environment.put("HOLDFAST_CONSOLE", JsonOutput.toJson(given));
        environment.put("HOLDFAST_BROWSER_SHOTS", place.toString());
        if (pictures) {
            environment.put("HOLDFAST_BROWSER_PICTURES", "all");
        }
        Npm.install(SOURCES, PLACE);
        Npm.run(PLACE, PATIENCE, environment, "node", "--test", program);
        if (pictures && Files.readString(SOURCES.resolve(program)).contains("look(")) {
            try (var taken = Files.list(place)) {
                assertThat(taken).as("pictures").isNotEmpty();
            }
        }
    }
}
