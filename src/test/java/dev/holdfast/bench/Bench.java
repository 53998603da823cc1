package dev.holdfast.bench;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.job.Job;
import dev.holdfast.run.LocalServer;
import dev.holdfast.run.Options;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures capture, freeze and restore of a small sandbox beside bare runsc doing the same to the
 * same kind of sandbox: {@code mvn -Pbench}. All of it in turn within one run, so that whatever
 * else this machine does falls on both sides.
 *
 * <p>The arguments are WildFly's home, the WAR, the home and the cache. {@code holdfast.repeat}
 * says how often; never less than 20 times after the first, which warms up and does not count.
 */
public final class Bench {

    private static final int LEAST = 20;
    private static final Duration LIFE = Duration.ofHours(2);
    private static final int FILE = 200_000_000;
    private static final int LEAST_FILES = 5;
    private static final String PLACE = "/home/user/large";

    private final E2bClient client;
    private final String databaseUrl;
    private final Sample create = new Sample("create from base, to the first command's answer");
    private final Sample capture = new Sample("capture, accepted to 201");
    private final Sample freeze = new Sample("  of it: frozen");
    private final Sample rest = new Sample("  of it: accepting, sealing, answering");
    private final Sample restore = new Sample("restore, request to the first command's answer");
    private final Sample answered = new Sample("  of it: request to 201");
    private final Sample command = new Sample("  of it: the first command");
    private final Sample run = new Sample("commands.run('true')");
    private final Sample bareRun = new Sample("the same over the bare agent channel");
    private final Sample upload = new Sample("a file of 200 MB in");
    private final Sample bareUpload = new Sample("the same over the bare agent channel");
    private final Sample download = new Sample("a file of 200 MB out");
    private final Sample bareDownload = new Sample("the same over the bare agent channel");
    private final Sample checkpoint = new Sample("bare runsc checkpoint");
    private final Sample bareRestore = new Sample("bare runsc restore");

    private Bench(E2bClient client, String databaseUrl) {
        this.client = client;
        this.databaseUrl = databaseUrl;
    }

    public static void main(String... arguments) throws Exception {
        var options = options(arguments);
        int times = Math.max(LEAST, Integer.getInteger("holdfast.repeat", LEAST));
        var server = LocalServer.of(options);
        try {
            server.forget().start();
            var bench =
                    new Bench(new E2bClient(server.api(), server.apiKey()), server.databaseUrl());
            bench.run(times, options);
            System.out.println(bench.report(times));
        } finally {
            server.stop();
            server.erase();
        }
    }

    /** A server of its own: WildFly, the WAR, a home and the cache, as the profile says them. */
    static Options options(String... arguments) {
        return options(Map.of(), arguments);
    }

    /** Settings of a server whose jobs only a person starts. */
    static Map<String, String> atRest() {
        return Stream.of(Job.values())
                .collect(
                        Collectors.toMap(
                                job ->
                                        "HOLDFAST_EXPIRY_"
                                                + job.id()
                                                        .replace('-', '_')
                                                        .toUpperCase(Locale.ROOT),
                                job -> "off"));
    }

    /** The same with more settings. */
    static Options options(Map<String, String> more, String... arguments) {
        var settings = new HashMap<>(more);
        settings.put("HOLDFAST_HTTP_ADDRESS", "127.0.0.1");
        return new Options(
                Path.of(arguments[2]),
                Path.of(arguments[3]),
                Path.of(arguments[0]),
                Path.of(arguments[1]),
                Integer.getInteger("holdfast.bench.http.port", 18280),
                Integer.getInteger("holdfast.bench.https.port", 18643),
                Integer.getInteger("holdfast.bench.management.port", 20190),
                Integer.getInteger("holdfast.bench.db.port", 15633),
                Map.copyOf(settings));
    }

    private void run(int times, Options options) throws Exception {
        var source = client.create("base", LIFE);
        client.must(source, "true");
        try (var bare = BareMachine.like(machineOf(source), options.home(), options.cache())) {
            for (int i = 0; i <= times; i++) {
                measureCreate();
                measure(source, bare);
                if (i == 0) {
                    forgetWarmUp();
                }
                System.out.print(i == 0 ? "warm-up " : i == times ? i + "\n" : i + " ");
            }
            try (var agent = bare.agent()) {
                measureCommands(source, agent, times);
                measureFiles(source, agent, Math.max(LEAST_FILES, times / 4));
            }
        } finally {
            client.kill(source.id());
        }
    }

    private void measureCommands(Sandbox source, BareAgent agent, int times) throws Exception {
        for (int i = 0; i <= times; i++) {
            long begin = System.nanoTime();
            client.must(source, "true");
            run.add(System.nanoTime() - begin);
            bareRun.add(agent.command());
            if (i == 0) {
                run.clear();
                bareRun.clear();
            }
        }
    }

    private void measureFiles(Sandbox source, BareAgent agent, int times) throws Exception {
        var content = new byte[FILE];
        for (int i = 0; i <= times; i++) {
            long begin = System.nanoTime();
            client.write(source, PLACE, content);
            upload.add(System.nanoTime() - begin);
            bareUpload.add(agent.write(PLACE, FILE));
            begin = System.nanoTime();
            client.readThrough(source, PLACE, FILE);
            download.add(System.nanoTime() - begin);
            bareDownload.add(agent.read(PLACE, FILE));
            if (i == 0) {
                List.of(upload, bareUpload, download, bareDownload).forEach(Sample::clear);
            }
        }
    }

    private void measureCreate() {
        long begin = System.nanoTime();
        var fresh = client.create("base", LIFE);
        client.must(fresh, "true");
        create.add(System.nanoTime() - begin);
        client.kill(fresh.id());
    }

    private void measure(Sandbox source, BareMachine bare) throws Exception {
        long begin = System.nanoTime();
        var snapshot = client.snapshot(source);
        long captured = System.nanoTime() - begin;
        long frozen = Duration.ofMillis(freezeOf(snapshot.id())).toNanos();
        capture.add(captured);
        freeze.add(frozen);
        rest.add(captured - frozen);

        checkpoint.add(bare.checkpoint());

        begin = System.nanoTime();
        var clone = client.create(snapshot.id(), LIFE);
        long made = System.nanoTime();
        client.must(clone, "true");
        long end = System.nanoTime();
        restore.add(end - begin);
        answered.add(made - begin);
        command.add(end - made);
        client.kill(clone.id());

        bareRestore.add(bare.restore());
        client.deleteSnapshot(snapshot.id());
    }

    private void forgetWarmUp() {
        for (var sample :
                new Sample[] {
                    create,
                    capture,
                    freeze,
                    rest,
                    restore,
                    answered,
                    command,
                    checkpoint,
                    bareRestore
                }) {
            sample.clear();
        }
    }

    private String machineOf(Sandbox sandbox) throws Exception {
        return one("select machine_id from sandbox where id = ?", sandbox.id());
    }

    private long freezeOf(String snapshot) throws Exception {
        return Long.parseLong(
                one("select freeze_millis from snapshot where id::text = ?", snapshot));
    }

    private String one(String query, String id) throws Exception {
        try (var connection = DriverManager.getConnection(databaseUrl);
                var statement = connection.prepareStatement(query)) {
            statement.setString(1, id);
            try (var rows = statement.executeQuery()) {
                rows.next();
                return rows.getString(1);
            }
        }
    }

    private String report(int times) {
        var text = new StringBuilder("\n%d times each, milliseconds\n".formatted(times));
        text.append(Sample.HEADING);
        for (var sample :
                new Sample[] {
                    create,
                    capture,
                    freeze,
                    rest,
                    checkpoint,
                    restore,
                    answered,
                    command,
                    bareRestore,
                    run,
                    bareRun
                }) {
            text.append(sample.line());
        }
        text.append("\nMB/s\n");
        for (var sample : new Sample[] {upload, bareUpload, download, bareDownload}) {
            text.append(sample.rate(FILE));
        }
        text.append("\nat p50                                           ratio  difference  aim\n");
        text.append(
                freeze.beside(checkpoint, "freeze beside bare checkpoint", "at most 1.1 times"));
        text.append(
                capture.beside(checkpoint, "capture beside bare checkpoint", "at most +150 ms"));
        text.append(restore.beside(bareRestore, "restore beside bare restore", "at most +150 ms"));
        text.append(run.beside(bareRun, "commands.run('true') beside the channel", ""));
        text.append(upload.beside(bareUpload, "200 MB in beside the channel", ""));
        text.append(download.beside(bareDownload, "200 MB out beside the channel", ""));
        return text.toString();
    }
}
