package dev.holdfast.openid;

import dev.holdfast.e2b.Npm;
import dev.holdfast.run.SharedServer;
import groovy.json.JsonOutput;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The OpenID provider {@code src/test/openid/provider.mjs}, a real one, and the way in that an
 * operator opens to it by the README's lines.
 */
public final class Provider implements AutoCloseable {

    private static final Path SOURCES = Path.of("src/test/openid");
    private static final Path PLACE = Path.of("target/openid");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;

    public Provider() throws IOException, InterruptedException {
        Npm.install(SOURCES, PLACE);
        var builder = new ProcessBuilder("node", "provider.mjs").directory(PLACE.toFile());
        builder.environment().put("PORT", Integer.toString(SharedServer.openIdPort()));
        builder.environment().put("SERVER", SharedServer.api().toString());
        builder.environment().put("SECRET", SharedServer.OPENID_SECRET);
        builder.redirectErrorStream(true).redirectOutput(log().toFile());
        process = builder.start();
        awaitReady();
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + SharedServer.openIdPort());
    }

    /**
     * @param all by their subjects
     */
    public void people(Map<String, Map<String, ?>> all) throws IOException, InterruptedException {
        var put =
                HttpRequest.newBuilder(address().resolve("/people"))
                        .PUT(BodyPublishers.ofString(JsonOutput.toJson(all)))
                        .build();
        client.send(put, BodyHandlers.discarding());
    }

    /** As the README says, on this server's management port. */
    public static void open() throws IOException, InterruptedException {
        cli("deploy ");
    }

    public static void shut() throws IOException, InterruptedException {
        cli("undeploy ");
    }

    private static void cli(String verb) throws IOException, InterruptedException {
        String line =
                Files.readAllLines(Path.of("README.md")).stream()
                        .filter(each -> each.contains("jboss-cli.sh --connect --command=\"" + verb))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("The README has no line to " + verb))
                        .replace(
                                "--connect",
                                "--connect --controller="
                                        + SharedServer.get().management().getAuthority());
        Path log = Path.of("target/openid-cli.log");
        var running =
                new ProcessBuilder("sh", "-c", line)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        if (!running.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            running.destroyForcibly();
        }
        if (running.waitFor() != 0) {
            throw new AssertionError(line + ":\n" + Files.readString(log));
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        var ask =
                HttpRequest.newBuilder(address().resolve("/.well-known/openid-configuration"))
                        .build();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (process.isAlive() && System.nanoTime() < end) {
            try {
                if (client.send(ask, BodyHandlers.discarding()).statusCode() == 200) {
                    return;
                }
            } catch (ConnectException e) {
                Thread.sleep(100);
            }
        }
        close();
        throw new IOException("no OpenID provider:\n" + Files.readString(log()));
    }

    private static Path log() {
        return PLACE.resolve("provider.log");
    }

    @Override
    public void close() {
        process.destroy();
    }
}
