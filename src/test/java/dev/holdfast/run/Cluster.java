package dev.holdfast.run;

import dev.holdfast.gateway.ServerCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a company installs, on this machine: control nodes and workers, each a server in a network
 * namespace of its own, on one PostgreSQL, one Artemis and one S3 bucket, and one address in front
 * of the controls.
 *
 * <p>Everything lies in one home below that of the tests. What a killed run left there, and in the
 * kernel, is removed by the next start.
 */
public final class Cluster implements AutoCloseable {
    /** Small: it is there for some minutes, and not alone. */
    private static final String JAVA_OPTIONS = Options.BRIEF + " -Xms96m -Xmx640m";

    private static final String DATABASE = "holdfast";

    private final Options options;
    private final Path logs;
    private final Set<String> apart;
    private final Home home;
    private final LocalDatabase database;
    private final List<Node> controls = new ArrayList<>();
    private final List<Node> workers = new ArrayList<>();
    private final Lan lan;
    private LocalBroker broker;
    private LocalBucket bucket;
    private Balancer balancer;

    private Cluster(Options options, Path logs, Set<String> apart, Home home, Lan lan) {
        this.options = options;
        this.logs = logs;
        this.apart = apart;
        this.home = home;
        this.lan = lan;
        this.database =
                new LocalDatabase(
                        home, options.cache(), options.databasePort(), List.of(lan.host()));
    }

    /**
     * Starts all of it and returns when every node is ready.
     *
     * @param name tells its home from others
     * @param offset tells its ports from others
     * @param workers how many nodes run sandboxes
     * @param settings for every node, besides
     */
    public static Cluster start(String name, int offset, int workers, Map<String, String> settings)
            throws IOException, InterruptedException {
        return start(name, offset, workers, Set.of(), settings);
    }

    /**
     * The same where some workers have a host of their own.
     *
     * @param apart the workers that have a runtime build and a base image that no other has
     */
    public static Cluster start(
            String name, int offset, int workers, Set<String> apart, Map<String, String> settings)
            throws IOException, InterruptedException {
        return start(
                Options.beside(name, offset, settings),
                Path.of("target", Lane.own("server-log-" + name)),
                workers,
                apart);
    }

    /** The same where it is said whole. */
    public static Cluster start(Options options, Path logs, int workers)
            throws IOException, InterruptedException {
        return start(options, logs, workers, Set.of());
    }

    private static Cluster start(Options options, Path logs, int workers, Set<String> apart)
            throws IOException, InterruptedException {
        var home = Home.lock(options.home());
        Cluster cluster = null;
        try {
            forget(home, options);
            cluster = new Cluster(options, logs, apart, home, Lan.open(options.home()));
            cluster.open(workers);
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            try {
                if (cluster != null) {
                    cluster.close();
                } else {
                    home.close();
                }
            } catch (IOException | RuntimeException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    /**
     * Of an earlier run what a worker needs to remove its machines stays; all else is forgotten.
     */
    private static void forget(Home home, Options options) throws IOException {
        for (var name : nodes(home.path())) {
            new LocalWildFly(of(options, name, Map.of()), true).killLeftover();
        }
        new LocalDatabase(home, options.cache(), options.databasePort()).stopLeftover();
        Recorded.killAllOf(home.path().resolve("broker"));
        Recorded.killAllOf(home.path().resolve("bucket"));
        var workers = nodes(home.path());
        home.clear(Set.copyOf(workers));
        for (var name : workers) {
            try (var own = Home.lock(home.path().resolve(name))) {
                own.clear(Set.of("instance", "worker"));
            }
        }
    }

    private static List<String> nodes(Path home) throws IOException {
        try (var entries = Files.list(home)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(entry -> entry.matches("(control|worker)-[a-z]"))
                    .toList();
        }
    }

    private void open(int count) throws IOException, InterruptedException {
        var preparation = LocalServer.preparation(options).start();
        startDatabase();
        broker =
                LocalBroker.of(
                                home.path().resolve("broker"),
                                options.wildfly(),
                                lan.host(),
                                options.httpPort() + 1)
                        .start();
        bucket =
                LocalBucket.start(
                        home.path().resolve("bucket"),
                        new InetSocketAddress(lan.host(), options.httpPort() + 2));
        if (preparation.waitFor() != 0) {
            throw new IOException("the host could not be prepared: no sandboxes here");
        }
        var shared = shared();
        for (var letter : List.of("a", "b")) {
            controls.add(node("control-" + letter, "control", shared));
        }
        for (int i = 0; i < count; i++) {
            workers.add(node("worker-" + (char) ('a' + i), "worker", shared));
        }
        for (var node : all()) {
            node.begin();
        }
        for (var node : all()) {
            node.awaitReady();
        }
        balancer = new Balancer(options.httpPort(), controls);
    }

    private Node node(String name, String role, Map<String, String> shared) throws IOException {
        var place = lan.join();
        var settings = new HashMap<>(shared);
        settings.put("HOLDFAST_WORKER_ID", name);
        settings.put("HOLDFAST_ROLES", role);
        if (role.equals("worker")) {
            settings.keySet().removeIf(each -> each.startsWith("HOLDFAST_BOOTSTRAP_"));
        }
        settings.put("HOLDFAST_HTTP_ADDRESS", place.address());
        settings.put("HOLDFAST_MANAGEMENT_ADDRESS", place.address());
        settings.put("HOLDFAST_WORKER_ADDRESS", place.address() + ":" + Node.HTTPS);
        var own = of(options, name, settings);
        settings.put("HOLDFAST_HOME", own.home().toString());
        if (apart.contains(name)) {
            var cache = own.home().resolve("cache");
            OtherBuilds.make(options.cache(), cache);
            settings.put("HOLDFAST_CACHE", cache.toString());
        }
        return new Node(name, place, own, settings, logs);
    }

    private static Options of(Options all, String name, Map<String, String> settings) {
        return new Options(
                all.home().resolve(name),
                all.cache(),
                all.wildfly(),
                all.war(),
                Node.HTTP,
                Node.HTTPS,
                Node.MANAGEMENT,
                all.databasePort(),
                settings);
    }

    /** What all nodes are told alike. */
    private Map<String, String> shared() throws IOException {
        var all = new HashMap<String, String>();
        all.put("HOLDFAST_CACHE", options.cache().toString());
        all.put("HOLDFAST_HTTP_PORT", String.valueOf(Node.HTTP));
        all.put("HOLDFAST_HTTPS_PORT", String.valueOf(Node.HTTPS));
        all.put("HOLDFAST_MANAGEMENT_PORT", String.valueOf(Node.MANAGEMENT));
        all.put("HOLDFAST_DB_HOST", lan.host());
        all.put("HOLDFAST_DB_PORT", String.valueOf(options.databasePort()));
        all.put("HOLDFAST_DB_NAME", DATABASE);
        all.put("HOLDFAST_DB_USER", DATABASE);
        all.put("HOLDFAST_DB_PASSWORD", databasePassword());
        // Together no more than the database takes.
        all.put("HOLDFAST_DB_POOL_SIZE", "30");
        all.put("HOLDFAST_DB_NONXA_POOL_SIZE", "12");
        all.put("HOLDFAST_BOOTSTRAP_API_KEY", apiKey());
        all.put("HOLDFAST_BOOTSTRAP_ADMIN_KEY", adminKey());
        all.putAll(broker.settings());
        all.putAll(bucket.settings());
        var certificate =
                ServerCertificate.prepare(
                        home.path(), name -> options.setting(name, ""), Clock.systemUTC());
        all.put("HOLDFAST_TLS_KEYSTORE", certificate.keyStore().toString());
        all.put("HOLDFAST_TLS_KEYSTORE_PASSWORD", certificate.password());
        all.put("HOLDFAST_RUNTIME_POOL", "2");
        all.put("HOLDFAST_WORKER_DISK_MIB", "1024");
        all.putAll(options.settings());
        all.put("HOLDFAST_JAVA_OPTIONS", JAVA_OPTIONS);
        return all;
    }

    /** Where clients find it, whichever control answers. */
    public URI api() {
        return URI.create("http://localhost:" + options.httpPort());
    }

    /** The key that may do everything in the first project. */
    public String apiKey() throws IOException {
        return home.secret("api-key", "e2b_");
    }

    /** The key that administers the service. */
    public String adminKey() throws IOException {
        return home.secret("admin-key", "e2b_");
    }

    private String databasePassword() throws IOException {
        return home.secret("server-password", "");
    }

    /** The JDBC address of its database, from this host. */
    public String databaseUrl() throws IOException {
        return database.url(DATABASE) + "?user=" + DATABASE + "&password=" + databasePassword();
    }

    public List<Node> controls() {
        return List.copyOf(controls);
    }

    public List<Node> workers() {
        return List.copyOf(workers);
    }

    /** The worker that has this name in the database. */
    public Node worker(String name) {
        return workers.stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no worker " + name));
    }

    public LocalBroker broker() {
        return broker;
    }

    public LocalBucket bucket() {
        return bucket;
    }

    /** Ends the database under all nodes, as an outage would. */
    public void stopDatabase() throws IOException {
        database.stop();
    }

    /** The database is back, with all that was committed or prepared. */
    public void startDatabase() throws IOException {
        database.start(DATABASE, DATABASE, databasePassword());
    }

    private List<Node> all() {
        return Stream.concat(controls.stream(), workers.stream()).toList();
    }

    /** Workers first: they say in the database that they go, and leave the host as it was. */
    @Override
    public void close() throws IOException {
        var failures = new ArrayList<Exception>();
        attempt(failures, () -> stopTogether(workers));
        attempt(failures, () -> stopTogether(controls));
        if (balancer != null) {
            attempt(failures, balancer::close);
        }
        if (bucket != null) {
            attempt(failures, bucket::close);
        }
        if (broker != null) {
            attempt(failures, () -> LocalServer.keep(broker.log(), logs));
            attempt(failures, broker::close);
        }
        attempt(failures, database::stop);
        attempt(failures, () -> LocalServer.keep(home.path().resolve("database.log"), logs));
        attempt(failures, () -> LocalServer.keep(home.path().resolve("bucket/server.log"), logs));
        attempt(failures, lan::close);
        attempt(failures, home::close);
        if (!failures.isEmpty()) {
            var first = new IOException("the cluster leaves something behind", failures.get(0));
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    private static void stopTogether(List<Node> nodes) {
        nodes.parallelStream()
                .forEach(
                        node -> {
                            try {
                                node.stop();
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
    }

    private static void attempt(List<Exception> failures, Step step) {
        try {
            step.take();
        } catch (IOException | RuntimeException e) {
            failures.add(e);
        }
    }

    /** Removes everything that it had in its home, after its end. */
    public void erase() throws IOException {
        Home.delete(options.home());
    }

    @FunctionalInterface
    private interface Step {
        void take() throws IOException;
    }
}
