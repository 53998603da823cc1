package dev.holdfast.bench;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.run.AnotherNode;
import dev.holdfast.run.LocalServer;
import dev.holdfast.run.Options;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Measures what it costs to ask for a sandbox on another node than its own: {@code mvn -Pbench
 * -Dholdfast.bench=dev.holdfast.bench.HopBench}. Both ways in turn, within one run.
 */
public final class HopBench {

    private static final int LEAST = 200;
    private static final int FILE = 200_000_000;
    private static final String PLACE = "/home/user/large";
    private static final Duration LIFE = Duration.ofHours(1);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Sample health = new Sample("GET /health of the sandbox, its own node");
    private final Sample farHealth = new Sample("the same, another node");
    private final Sample run = new Sample("commands.run('true'), its own node");
    private final Sample farRun = new Sample("the same, another node");
    private final Sample upload = new Sample("a file of 200 MB in, its own node");
    private final Sample farUpload = new Sample("the same, another node");
    private final Sample download = new Sample("a file of 200 MB out, its own node");
    private final Sample farDownload = new Sample("the same, another node");

    private HopBench() {}

    public static void main(String... arguments) throws Exception {
        int https = Integer.getInteger("holdfast.bench.https.port", 18643);
        var options =
                Bench.options(Map.of("HOLDFAST_WORKER_ADDRESS", "localhost:" + https), arguments);
        int times = Math.max(LEAST, Integer.getInteger("holdfast.repeat", LEAST));
        var first = LocalServer.of(options);
        try {
            first.forget().start();
            var second =
                    LocalServer.of(
                            AnotherNode.of(
                                    first, beside(options), Map.of("HOLDFAST_ROLES", "control")));
            try {
                second.forget().start();
                new HopBench().run(first, second, times);
            } finally {
                second.stop();
                second.erase();
            }
        } finally {
            first.stop();
            first.erase();
        }
    }

    private static Options beside(Options first) {
        return new Options(
                Path.of(first.home() + "-2"),
                first.cache(),
                first.wildfly(),
                first.war(),
                first.httpPort() + 100,
                first.httpsPort() + 100,
                first.managementPort() + 100,
                first.databasePort() + 100,
                Map.of());
    }

    private void run(LocalServer first, LocalServer second, int times) throws Exception {
        var near = new E2bClient(first.api(), first.apiKey());
        var far = new E2bClient(second.api(), first.apiKey());
        var sandbox = near.create("base", LIFE);
        for (int i = 0; i <= times; i++) {
            health.add(health(first.api(), sandbox));
            farHealth.add(health(second.api(), sandbox));
            run.add(elapsed(() -> near.must(sandbox, "true")));
            farRun.add(elapsed(() -> far.must(sandbox, "true")));
            if (i == times / 10) {
                List.of(health, farHealth, run, farRun).forEach(Sample::clear);
            }
        }
        var content = new byte[FILE];
        for (int i = 0; i <= 5; i++) {
            upload.add(elapsed(() -> near.write(sandbox, PLACE, content)));
            farUpload.add(elapsed(() -> far.write(sandbox, PLACE, content)));
            download.add(elapsed(() -> near.readThrough(sandbox, PLACE, FILE)));
            farDownload.add(elapsed(() -> far.readThrough(sandbox, PLACE, FILE)));
            if (i == 0) {
                List.of(upload, farUpload, download, farDownload).forEach(Sample::clear);
            }
        }
        near.kill(sandbox.id());
        System.out.println(report());
    }

    private String report() {
        var text = new StringBuilder(Sample.HEADING);
        for (var each : List.of(health, farHealth, run, farRun)) {
            text.append(each.line());
        }
        text.append(farHealth.beside(health, "a hop, health", ""))
                .append(farRun.beside(run, "a hop, a command", ""));
        for (var each : List.of(upload, farUpload, download, farDownload)) {
            text.append(each.rate(FILE));
        }
        return text.append(farUpload.beside(upload, "a hop, a file in", ""))
                .append(farDownload.beside(download, "a hop, a file out", ""))
                .append(
                        "health, ms: %.2f and %.2f"
                                .formatted(health.millis(0.5), farHealth.millis(0.5)))
                .toString();
    }

    private long health(URI node, Sandbox sandbox) throws Exception {
        var request =
                HttpRequest.newBuilder(node.resolve("/health"))
                        .header("E2b-Sandbox-Id", sandbox.id())
                        .header("E2b-Sandbox-Port", "49983")
                        .build();
        return elapsed(() -> http.send(request, BodyHandlers.discarding()));
    }

    private static long elapsed(Work work) throws Exception {
        long begin = System.nanoTime();
        work.run();
        return System.nanoTime() - begin;
    }

    private interface Work {
        void run() throws Exception;
    }
}
