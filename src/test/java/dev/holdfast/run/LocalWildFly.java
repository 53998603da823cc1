package dev.holdfast.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.wildfly.core.launcher.StandaloneCommandBuilder;

/** One WildFly process on a private base directory; the distribution itself is only read. */
final class LocalWildFly {
    private static final String CONFIGURATION = "standalone-holdfast.xml";
    private static final String REMOTE_BROKER = "standalone-holdfast-remote-broker.xml";
    private static final String WAR = "holdfast.war";
    private static final Path JAVA_OPTIONS = Path.of("wildfly-config/java.options");

    /** A busy machine took more than three minutes; a server that fails is seen at once anyway. */
    private static final Duration TO_START = Duration.ofMinutes(10);

    /** A worker may pause what it runs for five minutes before it stops. */
    private static final Duration TO_STOP = Duration.ofMinutes(6);

    /** These belong to the build or to this version; the rest of the folder is the operator's. */
    private static final Set<String> ALWAYS_FRESH =
            Set.of(CONFIGURATION, REMOTE_BROKER, "logging.properties");

    private static final String STARTED = "WFLYSRV0025";

    private final Options options;
    private final boolean withWar;
    private final List<String> enter;
    private final Path base;
    private volatile Process process;

    LocalWildFly(Options options, boolean withWar) {
        this(options, withWar, List.of());
    }

    /**
     * @param enter what its command line begins with; it becomes the server itself
     */
    LocalWildFly(Options options, boolean withWar, List<String> enter) {
        this.options = options;
        this.withWar = withWar;
        this.enter = List.copyOf(enter);
        this.base = options.home().resolve("server");
    }

    /**
     * Ends what a killed launcher left running. KILL, so that its sandboxes stay and are adopted.
     */
    void killLeftover() throws IOException {
        Recorded.process(pidFile(), baseArgument()).ifPresent(Recorded::kill);
        Files.deleteIfExists(pidFile());
    }

    void launch(Map<String, String> environment) throws IOException {
        lay();
        Files.deleteIfExists(console());
        var builder = new ProcessBuilder(command());
        builder.environment().keySet().removeAll(Set.of("JAVA_OPTS", "JBOSS_HOME"));
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true).redirectOutput(console().toFile());
        builder.redirectInput(Path.of("/dev/null").toFile());
        process = builder.start();
        // setsid becomes the server itself, so this is its number.
        Home.write(pidFile(), process.pid() + "\n");
    }

    /**
     * Returns once the WAR is deployed, or, without one, once the server has started; a server that
     * dies or refuses the WAR fails at once.
     */
    void awaitReady() throws IOException, InterruptedException {
        var failed = deployments().resolve(WAR + ".failed");
        var end = System.nanoTime() + TO_START.toNanos();
        while (!isReady()) {
            if (Files.exists(failed)) {
                throw new IOException(
                        "the WAR is refused: " + Files.readString(failed) + lastLines());
            }
            if (!alive()) {
                throw new IOException("WildFly ended while starting" + lastLines());
            }
            if (System.nanoTime() > end) {
                throw new IOException("WildFly is not ready after " + TO_START + lastLines());
            }
            Thread.sleep(100);
        }
    }

    private boolean isReady() throws IOException {
        return withWar
                ? Files.exists(deployments().resolve(WAR + ".deployed"))
                : Files.readString(console()).contains(STARTED);
    }

    boolean alive() {
        return process != null && process.isAlive();
    }

    int await() throws InterruptedException {
        return process.waitFor();
    }

    void stop() throws IOException {
        if (alive()) {
            Recorded.end(process.toHandle(), TO_STOP);
        }
        Files.deleteIfExists(pidFile());
    }

    void kill() throws IOException {
        if (alive()) {
            Recorded.kill(process.toHandle());
        }
        Files.deleteIfExists(pidFile());
    }

    Path console() {
        return base.resolve("log").resolve("console.log");
    }

    String lastLines() {
        try {
            var lines = Files.readAllLines(console());
            var last = lines.subList(Math.max(0, lines.size() - 60), lines.size());
            return "\n--- the last lines of " + console() + "\n" + String.join("\n", last);
        } catch (IOException e) {
            return "\n(no readable log: " + e + ")";
        }
    }

    private List<String> command() {
        var server =
                StandaloneCommandBuilder.of(options.wildfly())
                        .setJavaHome(Path.of(System.getProperty("java.home")))
                        .setBaseDirectory(base)
                        .setServerConfiguration(configuration())
                        .setJavaOptions(javaOptions());
        var command = new ArrayList<String>(List.of("setsid"));
        command.addAll(enter);
        command.addAll(server.build());
        return command;
    }

    /** With a broker of its own, unless it is told of one. */
    private String configuration() {
        return options.setting("HOLDFAST_BROKER_HOST", "").isBlank()
                ? CONFIGURATION
                : REMOTE_BROKER;
    }

    private List<String> javaOptions() {
        var all = new ArrayList<String>();
        all.add("@" + JAVA_OPTIONS.toAbsolutePath());
        for (var option : options.setting("HOLDFAST_JAVA_OPTIONS", "").split("\\s+")) {
            if (!option.isEmpty()) {
                all.add(option);
            }
        }
        return all;
    }

    /**
     * Configuration and WAR as built; journal, transaction log and the operator's users as they
     * were.
     */
    private void lay() throws IOException {
        var configuration = base.resolve("configuration");
        Files.createDirectories(configuration);
        Files.createDirectories(base.resolve("log"));
        Home.delete(base.resolve("tmp"));
        Home.delete(configuration.resolve("standalone_xml_history"));
        try (var files = Files.list(options.wildfly().resolve("standalone/configuration"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                var target = configuration.resolve(file.getFileName());
                if (ALWAYS_FRESH.contains(file.getFileName().toString())
                        || !Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        var manager = options.setting("HOLDFAST_MANAGEMENT_USER", "");
        if (!manager.isBlank()) {
            new ManagementUser(manager, options.setting("HOLDFAST_MANAGEMENT_PASSWORD", ""))
                    .writeInto(configuration);
        }
        Home.delete(deployments());
        Files.createDirectories(deployments());
        if (withWar) {
            Files.copy(options.war(), deployments().resolve(WAR));
            Files.createFile(deployments().resolve(WAR + ".dodeploy"));
        }
    }

    private Path deployments() {
        return base.resolve("deployments");
    }

    private Path pidFile() {
        return options.home().resolve("server.pid");
    }

    private String baseArgument() {
        return "-Djboss.server.base.dir=" + base;
    }
}
