package dev.holdfast.run;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A real S3 server on this machine with one bucket in it, kept in a directory. A process of its
 * own: what it brings must not meet what we run on. Whoever starts it again on the same directory
 * and address finds the objects as they were.
 */
public final class LocalBucket implements AutoCloseable {

    public static final String NAME = "holdfast";
    public static final String REGION = "eu-test-1";
    public static final String KEY_ID = "bucket-key";
    public static final String SECRET = "bucket-secret";

    private static final Path SERVER = Path.of("target/s3proxy.jar");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String LOGGING =
            """
            <configuration>
              <appender name="all" class="ch.qos.logback.core.ConsoleAppender">
                <encoder><pattern>%d %p %c %m%n%ex</pattern></encoder>
              </appender>
              <root level="WARN"><appender-ref ref="all"/></root>
            </configuration>
            """;

    private final Path directory;
    private final InetSocketAddress place;
    private final Process process;

    private LocalBucket(Path directory, InetSocketAddress place, String further)
            throws IOException {
        this.directory = directory.toAbsolutePath();
        this.place = place;
        Files.createDirectories(objects());
        Files.writeString(this.directory.resolve("server.properties"), configuration() + further);
        Files.writeString(this.directory.resolve("logback.xml"), LOGGING);
        var builder =
                new ProcessBuilder(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-XX:+UseSerialGC",
                                "-Xmx256m",
                                "-Dlogback.configurationFile="
                                        + this.directory.resolve("logback.xml"),
                                "-jar",
                                SERVER.toAbsolutePath().toString(),
                                "--properties",
                                this.directory.resolve("server.properties").toString()));
        process =
                builder.directory(this.directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                        .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "bucket"));
    }

    /** On a free port of this host, where it is reached from this host alone. */
    public static LocalBucket start(Path directory) throws IOException, InterruptedException {
        return start(directory, new InetSocketAddress("localhost", freePort()));
    }

    private static int freePort() throws IOException {
        try (var free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    /**
     * Returns when it answers.
     *
     * @param place by a name, the bucket is a host name below it too
     */
    public static LocalBucket start(Path directory, InetSocketAddress place)
            throws IOException, InterruptedException {
        return start(directory, place, "");
    }

    /** One that looks at no signature, and so tells a changed body by its digest alone. */
    public static LocalBucket startTrusting(Path directory)
            throws IOException, InterruptedException {
        var place = new InetSocketAddress("localhost", freePort());
        return start(directory, place, "s3proxy.authorization=none\n");
    }

    private static LocalBucket start(Path directory, InetSocketAddress place, String further)
            throws IOException, InterruptedException {
        var bucket = new LocalBucket(directory, place, further);
        bucket.awaitReady();
        return bucket;
    }

    public URI address() {
        return URI.create("http://" + place.getHostString() + ":" + place.getPort());
    }

    public InetSocketAddress place() {
        return place;
    }

    /** Where the bucket's objects lie as files, each by its key. */
    public Path objects() {
        return directory.resolve("buckets").resolve(NAME);
    }

    /** The environment of a server that keeps its objects here. */
    public Map<String, String> settings() {
        return Map.of(
                "HOLDFAST_STORAGE_S3_BUCKET", NAME,
                "HOLDFAST_STORAGE_S3_ENDPOINT", address().toString(),
                "HOLDFAST_STORAGE_S3_REGION", REGION,
                "HOLDFAST_STORAGE_S3_PATH_STYLE", "true",
                "AWS_ACCESS_KEY_ID", KEY_ID,
                "AWS_SECRET_ACCESS_KEY", SECRET);
    }

    /** Gives this process the key, which then has it for every such bucket. */
    public static void unlock() {
        System.setProperty("aws.accessKeyId", KEY_ID);
        System.setProperty("aws.secretAccessKey", SECRET);
    }

    private String configuration() {
        return """
        s3proxy.endpoint=%s
        s3proxy.virtual-host=%s
        s3proxy.authorization=aws-v4
        s3proxy.identity=%s
        s3proxy.credential=%s
        s3proxy.v4-max-non-chunked-request-size=67108864
        jclouds.provider=filesystem-nio2
        jclouds.filesystem.basedir=%s
        """
                .formatted(address(), place.getHostString(), KEY_ID, SECRET, objects().getParent());
    }

    private void awaitReady() throws IOException, InterruptedException {
        var end = System.nanoTime() + PATIENCE.toNanos();
        while (process.isAlive() && System.nanoTime() < end) {
            if (answers()) {
                return;
            }
            Thread.sleep(100);
        }
        close();
        throw new IOException("no S3 server at " + address() + ":\n" + Files.readString(log()));
    }

    private boolean answers() {
        try {
            var connection = (HttpURLConnection) address().toURL().openConnection();
            connection.setConnectTimeout(1000);
            connection.setReadTimeout(5000);
            return connection.getResponseCode() > 0;
        } catch (IOException notYet) {
            return false;
        }
    }

    private Path log() {
        return directory.resolve("server.log");
    }

    /** Ends it at once: a store that answers nobody. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it, and what it kept is gone. */
    public void erase() throws IOException {
        close();
        Home.delete(directory);
    }
}
