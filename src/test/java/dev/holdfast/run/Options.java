package dev.holdfast.run;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Where one local installation lives and which ports are its own.
 *
 * @param home all state; private to the service
 * @param cache what can be made again: unpacked PostgreSQL, template images
 * @param wildfly the shaped server distribution; only read
 * @param war what is deployed
 * @param settings further environment variables for the server, stronger than our own environment
 */
public record Options(
        Path home,
        Path cache,
        Path wildfly,
        Path war,
        int httpPort,
        int httpsPort,
        int managementPort,
        int databasePort,
        Map<String, String> settings) {

    /**
     * For a server that is not there for long: its second compiler has nothing to do but hashing,
     * and that from the start. A third of what a boot costs is its work otherwise.
     */
    static final String BRIEF =
            "-XX:Tier4InvocationThreshold=5000000 -XX:Tier4MinInvocationThreshold=600000"
                    + " -XX:Tier4CompileThreshold=15000000 -XX:Tier4BackEdgeThreshold=4000000"
                    + " -XX:CompileCommand=quiet"
                    + " -XX:CompileCommand=CompileThresholdScaling,sun.security.provider.*::*,0.001";

    public Options {
        home = home.toAbsolutePath().normalize();
        cache = cache.toAbsolutePath().normalize();
        wildfly = wildfly.toAbsolutePath().normalize();
        war = war.toAbsolutePath().normalize();
        settings = Map.copyOf(settings);
        if (home.getNameCount() < 2) {
            throw new IllegalArgumentException("HOLDFAST_HOME is no place of its own: " + home);
        }
    }

    /** The installation that the HOLDFAST_ variables describe. */
    public static Options of(Map<String, String> environment, Path wildfly, Path war) {
        return new Options(
                Path.of(environment.getOrDefault("HOLDFAST_HOME", "/var/lib/holdfast")),
                Path.of(environment.getOrDefault("HOLDFAST_CACHE", "/var/cache/holdfast")),
                wildfly,
                war,
                port(environment, "HOLDFAST_HTTP_PORT", 8080),
                port(environment, "HOLDFAST_HTTPS_PORT", 8443),
                port(environment, "HOLDFAST_MANAGEMENT_PORT", 9990),
                port(environment, "HOLDFAST_DB_PORT", 15432),
                Map.of());
    }

    /**
     * An installation of its own beside the one that the tests of a lane share.
     *
     * @param name tells its home from others
     * @param offset tells its ports from others
     */
    public static Options beside(String name, int offset, Map<String, String> settings) {
        var all = new HashMap<>(settings);
        all.put("HOLDFAST_HTTP_ADDRESS", "127.0.0.1");
        all.put("HOLDFAST_WORKER_ID", "worker-1");
        all.put("HOLDFAST_JAVA_OPTIONS", BRIEF);
        return new Options(
                besideHome(name),
                Path.of(System.getProperty("holdfast.test.cache")),
                Path.of(System.getProperty("holdfast.wildfly.home")),
                Path.of(System.getProperty("holdfast.war")),
                Lane.port("http") + offset,
                Lane.port("https") + offset,
                Lane.port("management") + offset,
                Lane.port("db") + offset,
                all);
    }

    /** Where {@link #beside} has its home. */
    public static Path besideHome(String name) {
        return Path.of(Lane.home() + "-" + name).toAbsolutePath();
    }

    /** What the environment says of {@code name}, unless the settings say something else. */
    String setting(String name, String otherwise) {
        var own = settings.get(name);
        return own != null ? own : Objects.requireNonNullElse(System.getenv(name), otherwise);
    }

    private static int port(Map<String, String> environment, String name, int otherwise) {
        var text = environment.get(name);
        if (text == null || text.isBlank()) {
            return otherwise;
        }
        try {
            var port = Integer.parseInt(text.trim());
            if (port > 0 && port < 65536) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Said below, together with a number out of range.
        }
        throw new IllegalArgumentException(name + " is no port: " + text);
    }
}
