package dev.holdfast.restore;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.e2b.OtherProject;
import dev.holdfast.run.SharedServer;
import dev.holdfast.storage.Disk;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.io.RandomAccessFile;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A snapshot takes the place of a sandbox's state, and the tree that comes of such things. */
class InPlaceIT {

    private static final Duration LIFE = Duration.ofMinutes(10);

    private static final String COUNTER =
            """
            import time
            number = 0
            while True:
                number += 1
                with open("/home/user/ticks", "w") as ticks:
                    ticks.write(str(number))
                time.sleep(0.02)
            """;

    private static E2bClient client;
    private static NativeClient api;

    private final List<String> opened = new ArrayList<>();

    @BeforeAll
    static void hasAProjectOfItsOwn() throws Exception {
        String key =
                OtherProject.key(
                        SharedServer.api(),
                        SharedServer.apiKey(),
                        SharedServer.get().databaseUrl());
        client = new E2bClient(SharedServer.api(), key);
        api = new NativeClient(key);
    }

    @AfterEach
    void endsWhatItOpened() {
        opened.forEach(client::kill);
    }

    @Test
    @Tag("R77")
    @Tag("R79")
    @Tag("R98")
    @Tag("R141")
    @Tag("F7")
    void keepsWhatWasAndMakesATreeOfAll() throws Exception {
        var root = open("base");
        state(root, "first");
        client.write(root, "/home/user/counter.py", COUNTER);
        client.startInBackground(root, "exec python3 /home/user/counter.py");
        client.must(root, "until [ -s ticks ]; do sleep 0.02; done");
        var first = client.snapshot(root).id();
        int counted = Integer.parseInt(client.read(open(first), "/home/user/ticks"));

        var sandbox = open(first);
        state(sandbox, "second");
        var second = client.snapshot(sandbox).id();
        state(sandbox, "third");
        client.must(sandbox, "until [ $(cat ticks) -gt %d ]; do :; done".formatted(counted + 100));
        var end = api.sandbox(sandbox.id()).getString("endAt");

        var restored = expect(200, restore(sandbox, Map.of("snapshotId", first)));
        var before = restored.getString("stateBefore");
        assertThat(restored.getString("sandbox.id")).isEqualTo(sandbox.id());
        assertThat(restored.getString("sandbox.state")).isEqualTo("running");
        assertThat(restored.getString("sandbox.snapshotId")).isEqualTo(first);
        assertThat(restored.getString("sandbox.accessToken")).isEqualTo(sandbox.token());
        assertThat(restored.getString("sandbox.endAt")).isEqualTo(end);
        assertThat(restored.getList("report.cut")).isNotEmpty();
        assertThat(state(sandbox)).as("by the same token").isEqualTo("first");
        int ticks = Integer.parseInt(client.read(sandbox, "/home/user/ticks"));
        assertThat(ticks).as("it went back and goes on").isBetween(1, counted + 100);
        await(
                "the counter goes on",
                () -> Integer.parseInt(client.read(sandbox, "/home/user/ticks")) > ticks);
        assertThat(client.must(sandbox, "hostname").strip()).isEqualTo(sandbox.id());

        var kept = api.snapshot(before);
        assertThat(kept.getString("kind")).isEqualTo("auto");
        assertThat(kept.getString("parentId")).isEqualTo(first);
        assertThat(kept.getString("expiresAt")).isNotNull();
        assertThat(kept.getList("occupants")).isEmpty();
        assertThat(expect(200, api.get("/snapshots")).getList("snapshots.id"))
                .containsExactlyInAnyOrder(first, second, before);
        var third = open(before);
        assertThat(state(third)).isEqualTo("third");

        assertThat(told(sandbox))
                .containsSubsequence("sandbox.restoring", "sandbox.resuming", "sandbox.restored");
        assertThat(
                        api.value(
                                "select count(*) from audit_entry where outcome = 'DONE' and"
                                        + " subject_id = '"
                                        + sandbox.id()
                                        + "' and details->>'inPlace' = 'true'"))
                .isEqualTo("1");

        // The tree: what descends from the first, through the state before, and by a fork.
        var fork =
                new JsonPath(client.ask(sandbox.id(), "fork", Map.of()).join().body())
                        .getString("[0].sandbox.sandboxID");
        opened.add(fork);
        var leaf = client.snapshot(third).id();
        var tree = lineage(first, "");
        assertThat(tree.getList("ancestors")).isEmpty();
        assertThat(tree.getBoolean("complete")).isTrue();
        assertThat(tree.getList("children.id", String.class))
                .containsExactlyInAnyOrder(opened.get(1), sandbox.id(), second, before, fork);
        assertThat(tree.getBoolean("children.find { it.id == '" + fork + "' }.forked")).isTrue();
        assertThat(tree.getBoolean("children.find { it.id == '" + before + "' }.hasChildren"))
                .isTrue();
        assertThat(tree.getString("children.find { it.id == '" + sandbox.id() + "' }.state"))
                .isEqualTo("running");
        assertThat(pages(first)).isEqualTo(tree.getList("children.id"));
        assertRefused(409, "snapshot_occupied", api.delete("/snapshots/" + first));

        // A middle one goes, and the leaf still knows where it comes from.
        client.kill(third.id());
        assertThat(client.deleteSnapshot(before)).isTrue();
        var removed =
                await(
                        "only the tombstone is left",
                        () -> lineage(leaf, ""),
                        seen -> "removed".equals(seen.getString("ancestors[0].state")));
        assertThat(removed.getList("ancestors.id")).containsExactly(before, first);
        assertThat(removed.getString("ancestors[0].removalReason")).isEqualTo("deleted");
        assertThat(removed.getString("ancestors[0].removedAt")).isNotNull();
        assertThat(lineage(before, "").getList("children.id")).containsExactly(leaf);
        assertThat(lineage(first, "").getList("children.id")).contains(before);
        api.sql("delete from tombstone where snapshot_id = '" + before + "'");
        var gone = lineage(leaf, "");
        assertThat(gone.getList("ancestors.state")).containsExactly("gone");
        assertRefused(404, "snapshot_not_found", api.get("/snapshots/" + before + "/lineage"));
        assertRefused(
                404,
                "snapshot_not_found",
                new NativeClient().get("/snapshots/" + first + "/lineage"));
    }

    @Test
    @Tag("R96")
    @Tag("R97")
    @Tag("R168")
    @Tag("F14")
    void isBusyMeanwhileAndRunsAsBeforeWhenItsStateCannotBeKept() throws Exception {
        var sandbox = open("base");
        state(sandbox, "first");
        var first = client.snapshot(sandbox).id();
        state(sandbox, "second");
        var asked = Map.of("snapshotId", first);
        client.pause(sandbox);
        assertRefused(409, "sandbox_not_running", restore(sandbox, asked));
        client.resume(sandbox, LIFE);
        assertRefused(400, "invalid_parameter", restore(sandbox, Map.of()));
        assertRefused(
                404,
                "snapshot_not_found",
                restore(sandbox, Map.of("reference", "5f0c7a34-1c0e-4b46-9c3a-3d8f6f1d2b90")));
        api.sql("update project set plan_snapshots = 1 where id = '" + api.project() + "'");
        try {
            assertRefused(403, "quota_count_exceeded", restore(sandbox, asked));
        } finally {
            api.sql("update project set plan_snapshots = 1000 where id = '" + api.project() + "'");
        }
        assertThat(api.sandbox(sandbox.id()).getString("state")).isEqualTo("running");
        client.startInBackground(
                sandbox,
                "exec python3 -c 'import os, time; held = os.urandom(60 << 20);"
                        + " open(\"full\", \"w\"); time.sleep(600)'");
        client.must(sandbox, "until [ -e full ]; do sleep 0.05; done");

        try (Connection held = DriverManager.getConnection(SharedServer.get().databaseUrl())) {
            held.setAutoCommit(false);
            var accepted = begin(sandbox, asked);
            assertThat(accepted.getString("state")).isEqualTo("pausing");
            hold(held, sandbox);
            assertRefused(409, "sandbox_busy", restore(sandbox, asked));
            assertRefused(
                    409,
                    "sandbox_busy",
                    api.post("/sandboxes/" + sandbox.id() + "/snapshots", Map.of()));
            assertRefused(409, "snapshot_occupied", api.delete("/snapshots/" + first));
            expire(held, sandbox);
            held.commit();
        }
        await(
                "it runs as before",
                () -> api.sandbox(sandbox.id()).getString("state"),
                "running"::equals);
        assertThat(state(sandbox)).isEqualTo("second");
        assertThat(told(sandbox)).endsWith("sandbox.restoring", "sandbox.restore_failed");
        assertThat(
                        api.value(
                                "select reason from audit_entry where outcome = 'FAILED' and"
                                        + " subject_id = '"
                                        + sandbox.id()
                                        + "' and details->>'inPlace' = 'true'"))
                .isEqualTo("capture_failed");

        begin(sandbox, asked);
        assertThat(client.askToKill(sandbox.id()).join().statusCode())
                .as("waits, then kills")
                .isEqualTo(204);
        assertThat(api.snapshot(first).getList("occupants")).isEmpty();
        assertThat(client.deleteSnapshot(first)).isTrue();
    }

    @Test
    @Tag("F18")
    @Tag("F21")
    void goesOnFromTheStateBeforeWhenTheSnapshotCannotBeStarted() throws Exception {
        var sandbox = open("base");
        var victim = client.snapshot(sandbox).id();
        state(sandbox, "second");
        var home = SharedServer.get().options().home();
        Disk.deleteTree(RestoresIT.imageOf(home, victim));
        var part = RestoresIT.largest(home.resolve("store/snapshots").resolve(victim));
        try (var file = new RandomAccessFile(part.toFile(), "rw")) {
            file.seek(file.length() / 2);
            int old = file.read();
            file.seek(file.length() / 2);
            file.write(old ^ 1);
        }

        var answer = restore(sandbox, Map.of("reference", victim));
        assertRefused(500, "start_failed", answer);
        var before = answer.jsonPath().getString("stateBefore");
        var now = api.sandbox(sandbox.id());
        assertThat(now.getString("state")).isEqualTo("running");
        assertThat(now.getString("snapshotId")).isEqualTo(before);
        assertThat(state(sandbox)).isEqualTo("second");
        assertThat(api.snapshot(victim).getString("verdict.reason")).isEqualTo("corrupt_part");
        assertThat(api.snapshot(victim).getList("occupants")).isEmpty();
        assertThat(told(sandbox)).endsWith("sandbox.restore_failed", "sandbox.resumed");
        assertRefused(409, "corrupt_part", restore(sandbox, Map.of("snapshotId", victim)));
        assertThat(client.deleteSnapshot(victim)).isTrue();
    }

    private Sandbox open(String origin) {
        var sandbox = client.create(origin, LIFE);
        opened.add(sandbox.id());
        return sandbox;
    }

    private static void state(Sandbox sandbox, String state) {
        client.write(sandbox, "/home/user/state", state);
    }

    private static String state(Sandbox sandbox) {
        return client.read(sandbox, "/home/user/state");
    }

    private static Response restore(Sandbox sandbox, Map<String, ?> what) {
        return api.post("/sandboxes/" + sandbox.id() + "/restore", what);
    }

    private static JsonPath begin(Sandbox sandbox, Map<String, ?> what) {
        var answer = api.postPreferring("respond-async", path(sandbox), what);
        assertThat(answer.header("Location")).endsWith("/sandboxes/" + sandbox.id());
        assertThat(answer.header("Preference-Applied")).isEqualTo("respond-async");
        return expect(202, answer);
    }

    private static String path(Sandbox sandbox) {
        return "/sandboxes/" + sandbox.id() + "/restore";
    }

    private static void hold(Connection held, Sandbox sandbox) throws SQLException {
        try (var statement = held.createStatement();
                var rows =
                        statement.executeQuery(
                                "select 1 from snapshot where state = 'UPLOADING' and"
                                        + " source_sandbox_id = '"
                                        + sandbox.id()
                                        + "' for update")) {
            assertThat(rows.next()).as("its state is being kept").isTrue();
        }
    }

    /** The seal comes too late then. */
    private static void expire(Connection held, Sandbox sandbox) throws SQLException {
        try (var statement = held.createStatement()) {
            statement.executeUpdate(
                    "update snapshot set deadline_at = clock_timestamp() where state = 'UPLOADING'"
                            + " and source_sandbox_id = '"
                            + sandbox.id()
                            + "'");
        }
    }

    private static JsonPath lineage(String snapshot, String query) {
        return expect(200, api.get("/snapshots/" + snapshot + "/lineage" + query));
    }

    /** The children, by pages of two. */
    private static List<String> pages(String snapshot) {
        var all = new ArrayList<String>();
        String next = null;
        do {
            var page = lineage(snapshot, "?limit=2" + (next == null ? "" : "&after=" + next));
            all.addAll(page.getList("children.id", String.class));
            next = page.getString("next");
        } while (next != null);
        return all;
    }

    private static List<String> told(Sandbox sandbox) {
        return expect(200, api.get("/events?subject=" + sandbox.id())).getList("events.type");
    }
}
