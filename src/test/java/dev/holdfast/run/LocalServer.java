package dev.holdfast.run;

import dev.holdfast.gateway.ServerCertificate;
import dev.holdfast.telemetry.LogFormat;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Holdfast whole: a locked home with PostgreSQL, WildFly and the WAR.
 *
 * <p>{@link #stop} may be called at any time and from any thread, also in the middle of {@link
 * #start}, which then fails. Stopping ends WildFly first and the database after it. Both calls may
 * be repeated; a stopped server is not started again.
 */
public final class LocalServer implements AutoCloseable {
    private static final Path PREPARE_HOST = Path.of("src/main/sandbox/prepare-host.sh");

    private final Options options;
    private final boolean whole;
    private final Home home;
    private final LocalDatabase database;
    private final LocalWildFly wildfly;
    private final Map<String, String> environment = new HashMap<>();
    private Process preparation;
    private ServerCertificate certificate;
    private boolean stopping;

    private LocalServer(Options options, boolean whole) throws IOException {
        this.options = options;
        this.whole = whole;
        this.home = Home.lock(options.home());
        this.database = new LocalDatabase(home, options.cache(), options.databasePort());
        this.wildfly = new LocalWildFly(options, whole);
    }

    /** Takes the home and nothing more; a second owner is refused here. */
    public static LocalServer of(Options options) throws IOException {
        return new LocalServer(options, true);
    }

    /**
     * The same without the WAR, which somebody else deploys, and on the host as it is: nothing is
     * prepared for sandboxes.
     */
    static LocalServer bare(Options options) throws IOException {
        return new LocalServer(options, false);
    }

    /**
     * Starts everything and returns when it is ready, the WAR deployed if there is one. On failure
     * nothing keeps running.
     */
    public LocalServer start() throws IOException, InterruptedException {
        try {
            prepareHost();
            step(wildfly::killLeftover);
            var password =
                    options.setting("HOLDFAST_DB_PASSWORD", home.secret("server-password", ""));
            var user = options.setting("HOLDFAST_DB_USER", "holdfast");
            var name = options.setting("HOLDFAST_DB_NAME", "holdfast");
            step(() -> database.start(name, user, password));
            environment.putAll(environment(name, user, password));
            step(this::prepareCertificate);
            launch();
            return this;
        } catch (IOException | InterruptedException | RuntimeException e) {
            try {
                stop();
            } catch (IOException | RuntimeException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    /**
     * Before the start: ends leftovers of a killed run and removes its state. The instance and what
     * the worker wrote down of its machines stay, so that the server that starts finds the
     * namespaces, mounts and sandboxes of that run and removes them.
     */
    public LocalServer forget() throws IOException {
        forget(Set.of("instance", "worker"));
        return this;
    }

    void forget(Set<String> kept) throws IOException {
        step(
                () -> {
                    wildfly.killLeftover();
                    database.stopLeftover();
                    home.clear(kept);
                });
    }

    /** Ends WildFly with KILL, as a crash would; database and sandboxes go on. */
    public void killHard() throws IOException {
        step(wildfly::kill);
    }

    /** Ends WildFly with TERM, as whoever looks after services does; the database goes on. */
    public void terminate() throws IOException {
        step(wildfly::stop);
    }

    /** Ends WildFly in order if it runs, and starts it again on the same home and database. */
    public void restart() throws IOException, InterruptedException {
        step(wildfly::stop);
        launch();
    }

    /** Ends the database under a running WildFly, as an outage would. */
    public void stopDatabase() throws IOException {
        step(database::stop);
    }

    /** The database is back, with all that was committed or prepared. */
    public void startDatabase() throws IOException {
        step(
                () ->
                        database.start(
                                environment.get("HOLDFAST_DB_NAME"),
                                environment.get("HOLDFAST_DB_USER"),
                                environment.get("HOLDFAST_DB_PASSWORD")));
    }

    /** Waits until WildFly ends by itself or is stopped; gives its exit code. */
    public int await() throws InterruptedException {
        return wildfly.await();
    }

    /** Ends WildFly in order, then the database, then gives the home back. */
    public void stop() throws IOException {
        synchronized (this) {
            if (stopping) {
                return;
            }
            stopping = true;
            if (preparation != null && preparation.isAlive()) {
                Recorded.end(preparation.toHandle(), Duration.ofSeconds(20));
            }
            try {
                wildfly.stop();
            } finally {
                try {
                    database.stop();
                } finally {
                    home.close();
                }
            }
        }
    }

    /** Removes everything that a stopped server has in its home; for tests. */
    public void erase() throws IOException {
        if (!isStopping()) {
            throw new IllegalStateException("it runs");
        }
        Home.delete(options.home());
    }

    /** Whether somebody has asked for the end, so that an ended server is no surprise. */
    public synchronized boolean isStopping() {
        return stopping;
    }

    @Override
    public void close() throws IOException {
        stop();
    }

    public Options options() {
        return options;
    }

    /** The address of the API, without a slash at its end. */
    public URI api() {
        return URI.create("http://localhost:" + options.httpPort());
    }

    /** The address of metrics, health and the management console. */
    public URI management() {
        return URI.create("http://127.0.0.1:" + options.managementPort());
    }

    /** The key that may do everything; made once for a home unless the environment gives one. */
    public String apiKey() throws IOException {
        var given = options.setting("HOLDFAST_BOOTSTRAP_API_KEY", "");
        return given.isBlank() ? home.secret("api-key", "e2b_") : given;
    }

    /** The key that administers the service; made like the other. */
    public String adminKey() throws IOException {
        var given = options.setting("HOLDFAST_BOOTSTRAP_ADMIN_KEY", "");
        return given.isBlank() ? home.secret("admin-key", "e2b_") : given;
    }

    /** The JDBC address of the server's own database. */
    public String databaseUrl() {
        return database.url(environment.get("HOLDFAST_DB_NAME"))
                + "?user="
                + environment.get("HOLDFAST_DB_USER")
                + "&password="
                + environment.get("HOLDFAST_DB_PASSWORD");
    }

    /** What a client of the HTTPS port has to trust; empty when it comes from configuration. */
    public Optional<Path> authority() {
        return Optional.ofNullable(certificate.authority());
    }

    /** What a client sets to reach this server over TLS, port included. */
    public String domain() {
        var configured = options.setting("HOLDFAST_DOMAIN", "");
        var domain = configured.isBlank() ? ServerCertificate.LOCAL_DOMAIN : configured;
        return domain.contains(":") ? domain : domain + ":" + options.httpsPort();
    }

    /** What the server prints; kept until the next start. */
    public Path console() {
        return wildfly.console();
    }

    /** Copies what it printed to where somebody looks after a failure. */
    public void keepConsole(Path target) throws IOException {
        keep(console(), target);
    }

    static void keep(Path log, Path target) throws IOException {
        Files.createDirectories(target);
        if (Files.exists(log)) {
            Files.copy(log, target.resolve(log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    String lastLines() {
        return wildfly.lastLines();
    }

    /** The readiness answer, which says what is missing where something is. */
    public String health() throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(management().resolve("/health/ready"))
                        .timeout(Duration.ofSeconds(10))
                        .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    private void launch() throws IOException, InterruptedException {
        step(() -> wildfly.launch(environment));
        wildfly.awaitReady();
    }

    /** One piece of work that a stop neither interrupts nor overtakes. */
    private synchronized void step(Work work) throws IOException {
        if (stopping) {
            throw new IllegalStateException("being stopped");
        }
        work.run();
    }

    private void prepareHost() throws IOException, InterruptedException {
        if (!whole || !Files.exists(PREPARE_HOST)) {
            return;
        }
        var builder = preparation(options);
        step(() -> preparation = builder.start());
        var code = preparation.waitFor();
        if (code != 0) {
            // The server says in its health what it lacks; without sandboxes it still has its
            // catalogue.
            System.err.println("The host could not be prepared (" + code + "): no sandboxes here.");
        }
    }

    /** What makes this host able to run sandboxes. */
    static ProcessBuilder preparation(Options options) {
        var builder = new ProcessBuilder("bash", PREPARE_HOST.toString()).inheritIO();
        builder.environment().put("HOLDFAST_HOME", options.home().toString());
        builder.environment().put("HOLDFAST_CACHE", options.cache().toString());
        builder.environment()
                .put("HOLDFAST_GENERATION_1", options.setting("HOLDFAST_GENERATION_1", "false"));
        return builder;
    }

    private void prepareCertificate() throws IOException {
        certificate =
                ServerCertificate.prepare(
                        options.home(), name -> options.setting(name, ""), Clock.systemUTC());
        environment.put("HOLDFAST_TLS_KEYSTORE", certificate.keyStore().toString());
        environment.put("HOLDFAST_TLS_KEYSTORE_PASSWORD", certificate.password());
    }

    private Map<String, String> environment(String name, String user, String password)
            throws IOException {
        var all = new HashMap<String, String>();
        all.put("HOLDFAST_HOME", options.home().toString());
        all.put("HOLDFAST_CACHE", options.cache().toString());
        all.put("HOLDFAST_HTTP_PORT", String.valueOf(options.httpPort()));
        all.put("HOLDFAST_HTTPS_PORT", String.valueOf(options.httpsPort()));
        all.put("HOLDFAST_MANAGEMENT_PORT", String.valueOf(options.managementPort()));
        all.put("HOLDFAST_DB_HOST", "127.0.0.1");
        all.put("HOLDFAST_DB_PORT", String.valueOf(options.databasePort()));
        all.put("HOLDFAST_DB_NAME", name);
        all.put("HOLDFAST_DB_USER", user);
        all.put("HOLDFAST_DB_PASSWORD", password);
        all.put("HOLDFAST_BOOTSTRAP_API_KEY", apiKey());
        all.put("HOLDFAST_BOOTSTRAP_ADMIN_KEY", adminKey());
        all.putAll(options.settings());
        all.put(
                LogFormat.SETTING,
                LogFormat.of(variable -> options.setting(variable, ""), Files::exists).word());
        return all;
    }

    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }
}
