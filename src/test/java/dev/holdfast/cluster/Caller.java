package dev.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.e2b.E2bClient.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * A program as customers write them: one sandbox that it works in all the time, captures of that,
 * and sandboxes made from these. It takes a refusal for one and goes on.
 */
final class Caller implements Customer {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration LIFE = Duration.ofHours(1);

    /** One whose answer was lost ends by itself. */
    private static final Duration BRIEF = Duration.ofMinutes(1);

    private static final String STATE = "/home/user/state";
    private static final int CAPTURED = 4;
    private static final int DELETED = 5;
    private static final long PAUSE_MILLIS = 250;

    private static final String COUNTER =
            """
            import time
            number = 0
            with open("/home/user/ticks", "w", buffering=1) as ticks:
                while True:
                    number += 1
                    ticks.write(f"{number}\\n")
                    time.sleep(0.2)
            """;

    private final E2bClient client;
    private final Ledger ledger;
    private final BooleanSupplier over;
    private final String name;
    private final RandomGenerator random = RandomGenerator.getDefault();
    private final Sandbox home;
    private final List<String> usable = new ArrayList<>();
    private final Map<String, String> saved = new ConcurrentHashMap<>();

    /** What its sandbox must hold; none while a write was answered by nobody. */
    private Optional<String> known = Optional.empty();

    Caller(E2bClient client, Ledger ledger, BooleanSupplier over, String name) {
        this.client = client;
        this.ledger = ledger;
        this.over = over;
        this.name = name;
        home = client.create("base", LIFE);
        client.write(home, "/home/user/counter.py", COUNTER);
        client.startInBackground(home, "exec python3 /home/user/counter.py");
    }

    @Override
    public Void call() throws Exception {
        for (int round = 1; !over.getAsBoolean(); round++) {
            work(round);
            if (round % CAPTURED == 0) {
                capture();
            } else if (round % CAPTURED == CAPTURED / 2) {
                restore();
            }
            if (round % (CAPTURED * DELETED) == 0) {
                delete();
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        return null;
    }

    private void work(int round) throws Exception {
        var text = name + " in round " + round;
        ledger.ask("command", () -> client.must(home, "echo " + text))
                .ifPresent(said -> assertThat(said).isEqualTo(text + "\n"));
        var before = known;
        known = Optional.empty();
        var written =
                ledger.ask(
                        "write",
                        () -> {
                            client.write(home, STATE, text);
                            return text;
                        });
        var read = ledger.ask("read", () -> client.read(home, STATE));
        if (read.isPresent()) {
            if (written.isPresent()) {
                assertThat(read).as("what %s wrote", name).contains(text);
            } else {
                before.ifPresent(last -> assertThat(read.get()).isIn(last, text));
            }
            known = read;
        }
    }

    /** Nobody writes meanwhile, so what it holds is what is captured. */
    private void capture() throws Exception {
        if (known.isEmpty()) {
            return;
        }
        var content = known.get();
        ledger.ask("capture", () -> client.snapshot(home))
                .map(Snapshot::id)
                .ifPresent(
                        id -> {
                            saved.put(id, content);
                            usable.add(id);
                        });
    }

    private void restore() throws Exception {
        if (usable.isEmpty()) {
            return;
        }
        var snapshot = usable.get(random.nextInt(usable.size()));
        var clone = ledger.ask("restore", () -> client.create(snapshot, BRIEF));
        if (clone.isPresent()) {
            ledger.ask("read of a clone", () -> client.read(clone.get(), STATE))
                    .ifPresent(
                            state ->
                                    assertThat(state)
                                            .as("what was saved as %s", snapshot)
                                            .isEqualTo(saved.get(snapshot)));
            ledger.ask("kill", () -> client.kill(clone.get().id()));
        }
    }

    /** What may be deleted is no longer held to be there, whatever comes of it. */
    private void delete() throws Exception {
        if (usable.size() > 1) {
            var snapshot = usable.remove(0);
            saved.remove(snapshot);
            ledger.ask("delete", () -> client.deleteSnapshot(snapshot));
        }
    }

    @Override
    public Map<String, String> saved() {
        return Map.copyOf(saved);
    }

    @Override
    public String name() {
        return name;
    }

    /** The same files, and memory that goes on. */
    @Override
    public void assertLives() throws Exception {
        assertThat(client.must(home, "echo lives")).as(name).isEqualTo("lives\n");
        var state = client.read(home, STATE);
        known.ifPresent(last -> assertThat(state).as(name).isEqualTo(last));
        var text = client.read(home, "/home/user/ticks");
        var lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i)).as(name).isEqualTo(Integer.toString(i + 1));
        }
        var last = lines.get(lines.size() - 1);
        client.must(home, "until [ $(wc -l <ticks) -gt " + last + " ]; do sleep 0.1; done");
    }

    /** How a snapshot shows what it holds. */
    static void assertRestores(E2bClient client, String snapshot, String content) {
        var clone = client.create(snapshot, BRIEF);
        try {
            assertThat(client.read(clone, STATE)).as(snapshot).isEqualTo(content);
        } finally {
            client.kill(clone.id());
        }
    }

    @Override
    public void end() {
        client.kill(home.id());
    }
}
