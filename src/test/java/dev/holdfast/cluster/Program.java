package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.Crosswise;
import dev.holdfast.e2b.E2bClient;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A program on an unmodified package, {@code steady.mjs} or {@code steady.py}: it tells of each
 * call, and ends with a failure when something holds what it must not hold, or its sandbox does not
 * live at the end.
 */
final class Program implements Customer {

    private static final Duration LAST = Duration.ofMinutes(3);

    private final E2bClient client;
    private final Ledger ledger;
    private final BooleanSupplier over;
    private final String name;
    private final Process process;
    private final Path log;
    private final Map<String, String> saved = new ConcurrentHashMap<>();

    /** Told first; until then it has none. */
    private volatile String home = "";

    private Program(
            E2bClient client, Ledger ledger, BooleanSupplier over, Crosswise.Started started) {
        this.client = client;
        this.ledger = ledger;
        this.over = over;
        name = started.name();
        process = started.process();
        log = started.log();
    }

    static Program of(
            E2bClient client, Ledger ledger, BooleanSupplier over, Crosswise.Started started) {
        var program = new Program(client, ledger, over, started);
        var listener = new Thread(program::listen, "what " + started.name() + " tells");
        listener.setDaemon(true);
        listener.start();
        return program;
    }

    @Override
    public Void call() throws Exception {
        try {
            while (!over.getAsBoolean() && process.isAlive()) {
                Thread.sleep(200);
            }
            assertThat(over.getAsBoolean()).as(() -> name + " has ended: " + said()).isTrue();
            process.getOutputStream().close();
            assertThat(process.waitFor(LAST.toSeconds(), TimeUnit.SECONDS)).as(name).isTrue();
            return null;
        } finally {
            process.destroyForcibly();
        }
    }

    private void listen() {
        try (var lines = process.inputReader()) {
            lines.lines().map(JsonPath::new).forEach(this::heard);
        } catch (IOException | RuntimeException e) {
            ledger.wrong(name + " is not understood: " + e);
        }
    }

    private void heard(JsonPath line) {
        if (line.getString("home") != null) {
            home = line.getString("home");
        } else if (line.getString("saved") != null) {
            saved.put(line.getString("saved"), line.getString("content"));
        } else {
            ledger.told(
                    line.getString("what"),
                    Duration.ofMillis(line.getLong("millis")),
                    line.getString("outcome"),
                    line.getString("words"));
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Map<String, String> saved() {
        return Map.copyOf(saved);
    }

    @Override
    public void assertLives() {
        assertThat(process.exitValue()).as(this::said).isZero();
        assertThat(client.info(home)).as(name).isPresent();
    }

    private String said() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "no output";
        }
    }

    @Override
    public void end() {
        client.kill(home);
    }
}
