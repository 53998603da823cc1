package dev.holdfast.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * One server of a {@link Cluster}: a home and a network of its own, everything else from the
 * configuration. Each may be started and ended as often as a test likes.
 */
public final class Node {
    static final int HTTP = 8080;
    static final int HTTPS = 8443;
    static final int MANAGEMENT = 9990;

    private final String name;
    private final Lan.Place place;
    private final Options options;
    private final Map<String, String> environment;
    private final LocalWildFly wildfly;
    private final Path logs;
    private int starts;
    private volatile boolean ready;

    Node(
            String name,
            Lan.Place place,
            Options options,
            Map<String, String> environment,
            Path logs) {
        this.name = name;
        this.place = place;
        this.options = options;
        this.environment = Map.copyOf(environment);
        this.logs = logs;
        this.wildfly = new LocalWildFly(options, true, place.enter());
    }

    /** As the others and the database call it. */
    public String name() {
        return name;
    }

    /** Where it answers itself, past what stands in front of the controls. */
    public URI api() {
        return URI.create("http://" + place.address() + ":" + HTTP);
    }

    public Path home() {
        return options.home();
    }

    InetSocketAddress address() {
        return new InetSocketAddress(place.address(), HTTP);
    }

    /** Returns at once; several nodes start side by side. */
    public void begin() throws IOException {
        starts++;
        wildfly.launch(environment);
    }

    /** Returns when it is ready, or fails at once when it has ended. */
    public void awaitReady() throws IOException, InterruptedException {
        wildfly.awaitReady();
        ready = true;
    }

    public void start() throws IOException, InterruptedException {
        begin();
        awaitReady();
    }

    /** Ends it in order. */
    public void stop() throws IOException {
        ready = false;
        wildfly.stop();
        keepLog();
    }

    /** Ends it with KILL, as a crash would; its sandboxes go on. */
    public void killHard() throws IOException {
        wildfly.kill();
        ready = false;
        keepLog();
    }

    /** Ends it in order and starts it again on what it left. */
    public void restart() throws IOException, InterruptedException {
        stop();
        start();
    }

    /** Whether it has started and nobody has asked for its end: what a health check would say. */
    public boolean isReady() {
        return ready;
    }

    /** One file a life: a start overwrites what the server printed. */
    private void keepLog() throws IOException {
        if (starts > 0 && Files.exists(wildfly.console())) {
            Files.createDirectories(logs);
            Files.copy(
                    wildfly.console(),
                    logs.resolve(name + "-" + starts + ".log"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
