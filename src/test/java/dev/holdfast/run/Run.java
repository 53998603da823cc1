package dev.holdfast.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The command behind {@code mvn -Prun}: runs until the process is told to stop. */
public final class Run {
    /** In either format of the console. */
    private static final Pattern ERRORS =
            Pattern.compile(" (ERROR|FATAL) |\"level\":\"(ERROR|FATAL)\"");

    private Run() {}

    /** Takes the server distribution, the WAR and the file for the lines to paste. */
    public static void main(String... arguments) throws IOException, InterruptedException {
        refuseAnotherDatabase();
        var options = Options.of(System.getenv(), Path.of(arguments[0]), Path.of(arguments[1]));
        var server = LocalServer.of(options);
        // In the Maven process itself, so that Ctrl-C and TERM both come here, and no child can be
        // forgotten.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "stop"));
        System.out.println("Starting Holdfast in " + options.home());
        server.start();
        follow(server.console());
        announce(server, Path.of(arguments[2]));
        var code = server.await();
        if (server.isStopping()) {
            return;
        }
        throw new IOException("WildFly ended by itself with " + code + server.lastLines());
    }

    /**
     * Maven's console understands colours, and fails at a line that comes in the middle of one of
     * the server's: nothing that has to be done may depend on it.
     */
    private static void say(String line) {
        try {
            System.out.println(line);
        } catch (RuntimeException e) {
            // Whoever stops it sees that it ends.
        }
    }

    private static void refuseAnotherDatabase() {
        if (!System.getenv().getOrDefault("HOLDFAST_DB_HOST", "").isBlank()) {
            throw new IllegalArgumentException(
                    "HOLDFAST_DB_HOST is set, but mvn -Prun starts a database of its own, which"
                            + " HOLDFAST_DB_PORT moves. Unset it, or run the images of docker/.");
        }
    }

    private static void stop(LocalServer server) {
        try {
            say("Stopping Holdfast");
            server.stop();
            say("Stopped");
        } catch (IOException | RuntimeException e) {
            e.printStackTrace();
        }
    }

    private static void announce(LocalServer server, Path file)
            throws IOException, InterruptedException {
        var health = server.health();
        if (!health.startsWith("{\"status\":\"UP\"")) {
            System.err.println("Holdfast runs, but not everything is ready: " + health);
        }
        var lines =
                "export E2B_API_KEY=%s E2B_API_URL=%s E2B_SANDBOX_URL=%s%n"
                        .formatted(server.apiKey(), server.api(), server.api());
        Home.write(file, lines);
        System.out.printf(
                "%nHoldfast is ready%n  console  %s/console/%n  API      %s%n%nTo use it, paste"
                        + " (also in %s):%n%n%s%n",
                server.api(), server.api(), file, lines);
        System.out.printf(
                "Projects, limits and jobs are administered with the key in %s%n%n",
                server.options().home().resolve("admin-key"));
        System.out.printf(
                "Or over TLS, with links to the ports of sandboxes, where names below %s lead"
                        + " here:%n%nexport E2B_API_KEY=%s E2B_DOMAIN=%s%s%n%n",
                server.domain().replaceFirst(":\\d+$", ""),
                server.apiKey(),
                server.domain(),
                server.authority()
                        .map(pem -> " NODE_EXTRA_CA_CERTS=" + pem + " SSL_CERT_FILE=" + pem)
                        .orElse(""));
    }

    /** Shows what the server logs as an error; the whole log stays in its file. */
    private static void follow(Path log) {
        var thread = new Thread(() -> showErrors(log), "errors");
        thread.setDaemon(true);
        thread.start();
    }

    private static void showErrors(Path log) {
        try (BufferedReader reader = Files.newBufferedReader(log)) {
            while (true) {
                var line = reader.readLine();
                if (line == null) {
                    Thread.sleep(250);
                } else if (ERRORS.matcher(line).find()) {
                    System.err.println(line);
                }
            }
        } catch (IOException e) {
            System.err.println("The server's log cannot be followed: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
