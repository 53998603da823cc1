package dev.holdfast.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * An Artemis broker in a process of its own, as an operator has one: {@code
 * wildfly-config/broker.xml} as its configuration, users in files, everything it keeps below its
 * home. It is the one that the server carries, so that nothing has to be fetched for it.
 */
public final class LocalBroker implements AutoCloseable {

    /** How a node is told of one whose queues it is to use. */
    public static final String HOST = "HOLDFAST_BROKER_HOST";

    private static final Path CONFIGURATION = Path.of("wildfly-config/broker.xml");
    private static final String MAIN = "org.apache.activemq.artemis.core.server.embedded.Main";
    private static final String LOGINS =
            "org.apache.activemq.artemis.spi.core.security.jaas.PropertiesLoginModule";
    private static final String USER = "holdfast";

    /** What of the server's modules it runs on. */
    private static final List<String> MODULES =
            List.of(
                    "org/apache/activemq/artemis/client",
                    "org/apache/activemq/artemis/commons",
                    "org/apache/activemq/artemis/journal",
                    "org/apache/activemq/artemis/main",
                    "com/github/ben-manes/caffeine",
                    "io/netty",
                    "io/micrometer",
                    "io/smallrye/common",
                    "org/apache/commons",
                    "org/jboss/logging",
                    "org/jboss/logmanager",
                    "org/jctools",
                    "org/jgroups",
                    "org/slf4j",
                    "org/wildfly/common",
                    "jakarta/json/api");

    private static final Duration TO_START = Duration.ofMinutes(2);
    private static final Duration TO_STOP = Duration.ofSeconds(30);

    private final Path home;
    private final Path wildfly;
    private final String address;
    private final int port;
    private final String password = UUID.randomUUID().toString();
    private Process process;

    private LocalBroker(Path home, Path wildfly, String address, int port) {
        this.home = home.toAbsolutePath().normalize();
        this.wildfly = wildfly;
        this.address = address;
        this.port = port;
    }

    /**
     * One that does not run yet, without anything that a former one left.
     *
     * @param home all that it keeps
     * @param wildfly the server distribution; only read
     */
    public static LocalBroker of(Path home, Path wildfly, String address, int port)
            throws IOException {
        var broker = new LocalBroker(home, wildfly, address, port);
        var left = Recorded.process(broker.pidFile(), broker.home.toString());
        left.ifPresent(Recorded::kill);
        Home.delete(broker.home);
        return broker;
    }

    /** One of this lane's, beside what has the same name. */
    public static LocalBroker beside(String name, int offset) throws IOException {
        return of(
                Path.of(Options.besideHome(name) + "-broker"),
                Path.of(Lane.property("holdfast.wildfly.home")),
                "127.0.0.1",
                Lane.port("http") + offset);
    }

    /** What a node has to be told to use it. */
    public Map<String, String> settings() {
        var all = new HashMap<String, String>();
        all.put(HOST, address);
        all.put("HOLDFAST_BROKER_PORT", String.valueOf(port));
        all.put("HOLDFAST_BROKER_USER", USER);
        all.put("HOLDFAST_BROKER_PASSWORD", password);
        return all;
    }

    /** Returns when it takes connections; with all that it had when it was stopped or killed. */
    public LocalBroker start() throws IOException, InterruptedException {
        lay();
        var builder = new ProcessBuilder(command());
        builder.environment().put("HOLDFAST_BROKER_ADDRESS", address);
        builder.environment().put("HOLDFAST_BROKER_PORT", String.valueOf(port));
        builder.directory(home.toFile());
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        process = builder.start();
        Home.write(pidFile(), process.pid() + "\n");
        awaitConnections();
        return this;
    }

    /** Ends it in order. */
    public void stop() {
        if (isAlive()) {
            Recorded.end(process.toHandle(), TO_STOP);
        }
    }

    /** Ends it as a crash would. */
    public void kill() {
        if (isAlive()) {
            Recorded.kill(process.toHandle());
        }
    }

    /** What it prints. */
    public Path log() {
        return home.resolve("broker.log");
    }

    /** Ends it, and what it kept is gone. */
    @Override
    public void close() throws IOException {
        stop();
        Home.delete(home);
    }

    private boolean isAlive() {
        return process != null && process.isAlive();
    }

    private void awaitConnections() throws IOException, InterruptedException {
        var end = System.nanoTime() + TO_START.toNanos();
        while (!takesConnections()) {
            if (!isAlive()) {
                throw new IOException("the broker ended while starting\n" + printed());
            }
            if (System.nanoTime() > end) {
                throw new IOException("the broker does not start\n" + printed());
            }
            Thread.sleep(50);
        }
    }

    private boolean takesConnections() {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private String printed() throws IOException {
        return Files.exists(log()) ? Files.readString(log()) : "";
    }

    private void lay() throws IOException {
        var etc = Files.createDirectories(home.resolve("etc"));
        Files.copy(CONFIGURATION, etc.resolve("broker.xml"), StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(etc.resolve("artemis-users.properties"), USER + " = " + password + "\n");
        Files.writeString(etc.resolve("artemis-roles.properties"), "amq = " + USER + "\n");
        Files.writeString(
                logins(),
                """
                activemq {
                  %s required
                    baseDir="%s"
                    org.apache.activemq.jaas.properties.user="artemis-users.properties"
                    org.apache.activemq.jaas.properties.role="artemis-roles.properties";
                };
                """
                        .formatted(LOGINS, etc));
        Files.writeString(
                logging(),
                """
                logger.level=INFO
                logger.handlers=CONSOLE
                loggers=org.apache.activemq.audit
                logger.org.apache.activemq.audit.level=WARN
                handler.CONSOLE=org.jboss.logmanager.handlers.ConsoleHandler
                handler.CONSOLE.properties=autoFlush
                handler.CONSOLE.autoFlush=true
                handler.CONSOLE.formatter=PATTERN
                formatter.PATTERN=org.jboss.logmanager.formatters.PatternFormatter
                formatter.PATTERN.properties=pattern
                formatter.PATTERN.pattern=%d{HH:mm:ss,SSS} %-5p [%c] %s%e%n
                """);
    }

    private Path logins() {
        return home.resolve("etc/login.config");
    }

    private Path logging() {
        return home.resolve("etc/logging.properties");
    }

    private Path pidFile() {
        return home.resolve("broker.pid");
    }

    /** Its home is its argument, by which a leftover is known. */
    private List<String> command() throws IOException {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.net.preferIPv4Stack=true",
                "-Djava.security.auth.login.config=" + logins(),
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "-Dlogging.configuration=" + logging().toUri(),
                "-cp",
                classPath(),
                MAIN,
                home.toString());
    }

    private String classPath() throws IOException {
        var base = wildfly.resolve("modules/system/layers/base");
        var jars = new ArrayList<String>();
        for (var module : MODULES) {
            try (var files = Files.walk(base.resolve(module))) {
                files.map(Path::toString).filter(name -> name.endsWith(".jar")).forEach(jars::add);
            }
        }
        return String.join(":", jars);
    }
}
