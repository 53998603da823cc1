package dev.holdfast.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Set;
import java.util.UUID;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * The one server of a lane of a test run: started by the first test that asks, on a home of its own
 * with an empty database, stopped and removed when the run ends. A run of unit tests asks never.
 */
public final class SharedServer implements LauncherSessionListener {
    private static final String MARK = "made-by-tests";

    /**
     * What outlives a test run that was killed: by its instance the next server finds the leavings
     * of that run and removes them.
     */
    private static final Set<String> KEPT = Set.of(MARK, "instance", "worker");

    /** How many exports it writes at once. */
    public static final int EXPORTS = 2;

    /**
     * How many event streams a project may have open; one that is left counts for a sign of life.
     */
    public static final int STREAMS = 20;

    /** What an OpenID provider and the server's client know of each other. */
    public static final String OPENID_SECRET = "between the two of them";

    /** From the ports of the whole server to those of the other. */
    private static final int BARE_OFFSET = 150;

    private static final SharedServer WHOLE = new SharedServer(false);
    private static final SharedServer BARE = new SharedServer(true);

    private final boolean bare;
    private LocalServer server;
    private boolean failed;

    /** Made by the launcher, to be told of the end. */
    public SharedServer() {
        this(false);
    }

    private SharedServer(boolean bare) {
        this.bare = bare;
    }

    /**
     * The running server; a start that failed is not tried again, every later test fails at once.
     */
    public static LocalServer get() {
        return WHOLE.running();
    }

    /**
     * Another one, without the WAR and prepared for nothing, for tests that deploy it themselves.
     */
    public static LocalServer bare() {
        return BARE.running();
    }

    private synchronized LocalServer running() {
        if (failed) {
            throw new IllegalStateException("no server: its start failed in an earlier test");
        }
        if (server == null) {
            failed = true;
            try {
                server = started();
            } catch (IOException e) {
                throw new UncheckedIOException("no server for the tests", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while starting the server", e);
            }
            failed = false;
        }
        return server;
    }

    /** Where the API is, without a slash at its end. */
    public static URI api() {
        return get().api();
    }

    /** The key that may do everything. */
    public static String apiKey() {
        try {
            return get().apiKey();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The key that administers the service and belongs to no project. */
    public static String adminKey() {
        try {
            return get().adminKey();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        try {
            BARE.end();
            WHOLE.end();
        } catch (IOException e) {
            throw new IllegalStateException("the test run leaves something behind", e);
        }
    }

    private LocalServer started() throws IOException, InterruptedException {
        var options = options();
        var home = options.home();
        Files.createDirectories(home);
        try (var entries = Files.list(home)) {
            if (!Files.exists(home.resolve(MARK)) && entries.findAny().isPresent()) {
                throw new IOException(home + " holds what no test made; it stays as it is");
            }
        }
        Files.writeString(home.resolve(MARK), "Removed after each test run.\n");
        if (!bare) {
            Files.copy(
                    Path.of("/etc/resolv.conf"), resolver(), StandardCopyOption.REPLACE_EXISTING);
        }
        var fresh = bare ? LocalServer.bare(options) : LocalServer.of(options);
        try {
            fresh.forget(KEPT);
            return fresh.start();
        } catch (IOException | InterruptedException | RuntimeException e) {
            fresh.stop();
            keepLogs(fresh);
            throw e;
        }
    }

    private synchronized void end() throws IOException {
        if (server == null) {
            return;
        }
        var ended = server;
        server = null;
        ended.stop();
        keepLogs(ended);
        Home.delete(ended.options().home());
    }

    /** Beside the test reports, where somebody looks after a failure. */
    private void keepLogs(LocalServer ended) throws IOException {
        var target = Path.of("target", Lane.own(bare ? "container-log" : "server-log"));
        var database = ended.options().home().resolve("database.log");
        LocalServer.keep(ended.console(), target);
        LocalServer.keep(database, target);
    }

    private Options options() {
        var home = Path.of(Lane.home() + (bare ? "-container" : ""));
        var settings = new HashMap<String, String>();
        settings.put("HOLDFAST_HTTP_ADDRESS", "127.0.0.1");
        settings.put("HOLDFAST_WORKER_ID", "worker-1");
        settings.put("HOLDFAST_REPEAT", Lane.property("holdfast.repeat"));
        // Jobs that tests wait for run every other second.
        for (var job :
                new String[] {
                    "EXPIRE_SNAPSHOTS",
                    "REAP_LOST_WORKERS",
                    "WARN_OF_EXPIRY",
                    "PURGE_AUDIT",
                    "PURGE_EVENTS"
                }) {
            settings.put("HOLDFAST_EXPIRY_" + job, "*/2 * *");
        }
        // What tests write into the database alone has no parts in the store.
        settings.put("HOLDFAST_EXPIRY_VERIFY_PARTS", "off");
        settings.put("HOLDFAST_JOB_LOOK", "PT2S");
        // A copy, so that a test can put a name server of its own into it.
        settings.put("HOLDFAST_RUNTIME_RESOLVER", resolver().toAbsolutePath().toString());
        // Small enough that a test goes beyond them, and jobs that no test has to wait for.
        settings.put("HOLDFAST_WORKER_DISK_MIB", "1024");
        settings.put("HOLDFAST_BUILD_ARCHIVE_MIB", "64");
        settings.put("HOLDFAST_BUILD_UNPACKED_MIB", "256");
        settings.put("HOLDFAST_BUILD_FILES", "20000");
        settings.put("HOLDFAST_EXPIRY_PURGE_TEMPLATES", "* * *");
        settings.put("HOLDFAST_EXPIRY_CLEAN_UP_OBJECTS", "*/3 * *");
        // Whoever asks from this machine may say where the request came from.
        settings.put("HOLDFAST_AUDIT_TRUSTED_PROXIES", "127.0.0.1");
        // A test opens as many streams as may be, and waits for a sign of life and for its end.
        settings.put("HOLDFAST_EVENT_STREAMS", Integer.toString(STREAMS));
        settings.put("HOLDFAST_EVENT_HEARTBEAT", "PT2S");
        settings.put("HOLDFAST_EVENT_PATIENCE", "PT3S");
        // Receivers are programs on this machine.
        settings.put("HOLDFAST_WEBHOOK_ALLOWED", "127.0.0.0/8");
        settings.put("HOLDFAST_WEBHOOK_INSECURE", "true");
        settings.put("HOLDFAST_WEBHOOK_PATIENCE", "PT3S");
        settings.put("HOLDFAST_WEBHOOK_MOST", "4");
        // Gauges that no test has to wait for, and a log that programs read beside the one for
        // people.
        settings.put("HOLDFAST_OPERATOR_SAMPLE_PERIOD", "PT1S");
        settings.put("HOLDFAST_LOG_FORMAT", "text");
        // Few, and soon left.
        settings.put("HOLDFAST_API_EXPORTS", Integer.toString(EXPORTS));
        settings.put("HOLDFAST_API_EXPORT_STALL", "PT3S");
        settings.put("HOLDFAST_LOG_FILE_FORMAT", "json");
        // A provider that a test starts, for a way in that the same test opens.
        settings.put("HOLDFAST_OPENID_PROVIDER_URL", "http://127.0.0.1:" + openIdPort());
        settings.put("HOLDFAST_OPENID_CLIENT_SECRET", OPENID_SECRET);
        settings.put("HOLDFAST_OPENID_NAME", "Example accounts");
        settings.put(
                "HOLDFAST_OPENID_ROLES",
                "engineers=openid-team:snapshots:read,openid-team:sandboxes:use,"
                        + "openid-team:sandboxes:manage");
        settings.put("HOLDFAST_MANAGEMENT_USER", "operator");
        settings.put("HOLDFAST_MANAGEMENT_PASSWORD", UUID.randomUUID().toString());
        if (bare) {
            settings.put("HOLDFAST_WORKER_REQUIRED", "false");
            settings.put("HOLDFAST_JAVA_OPTIONS", Options.BRIEF);
            // Nothing is in it: the worker there takes no sandboxes.
            settings.put("HOLDFAST_CACHE", home.resolve("no-cache").toString());
        } else {
            settings.put("HOLDFAST_GENERATION_1", "true");
            // For a test that puts a second node before this one.
            settings.put("HOLDFAST_WORKER_ADDRESS", "localhost:" + Lane.port("https"));
        }
        return new Options(
                home,
                Path.of(Lane.property("holdfast.test.cache")),
                Path.of(Lane.property("holdfast.wildfly.home")),
                Path.of(Lane.property("holdfast.war")),
                port("http"),
                port("https"),
                port("management"),
                port("db"),
                settings);
    }

    private int port(String name) {
        return Lane.port(name) + (bare ? BARE_OFFSET : 0);
    }

    /** Where somebody who is not told of a server manages the one without the WAR. */
    static int barePort() {
        return BARE.port("management");
    }

    /** Where the server looks for its OpenID provider. */
    public static int openIdPort() {
        return Lane.port("http") + 7;
    }

    /** Where the server finds its name servers. */
    public static Path resolver() {
        return Path.of("target", Lane.own("resolv.conf"));
    }
}
