package dev.holdfast.snapshot;

import static dev.holdfast.Eventually.await;
import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.NativeClient;
import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.E2bClient.Sandbox;
import dev.holdfast.run.SharedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who keeps a snapshot from being deleted, and until when. */
class OccupancyIT {

    private static final Duration LIFE = Duration.ofMinutes(5);

    private static E2bClient client;
    private static NativeClient api;

    private final List<Sandbox> opened = new ArrayList<>();
    private final List<String> kept = new ArrayList<>();

    @BeforeAll
    static void connects() {
        client = new E2bClient(SharedServer.api(), SharedServer.apiKey());
        api = new NativeClient();
    }

    @AfterEach
    void leavesNothing() {
        opened.forEach(sandbox -> client.kill(sandbox.id()));
        kept.forEach(client::deleteSnapshot);
    }

    @Test
    @Tag("R79")
    @Tag("R153")
    @Tag("R154")
    @Tag("R155")
    @Tag("R167")
    @Tag("F20")
    void isKeptByWhatRunsOrIsPausedAndByNoDescendantFurtherDown() throws Exception {
        var source = sandbox("base");
        var first = capture(source);
        client.kill(source.id());
        var child = sandbox(first);
        var second = capture(child);
        var grandchild = sandbox(second);
        client.pause(child);
        lost(first);

        var refused = api.delete("/snapshots/" + first);
        assertRefused(409, "snapshot_occupied", refused);
        assertThat(refused.jsonPath().getList("occupants", String.class))
                .containsExactlyInAnyOrder(child.id(), LOST);
        assertThat(api.snapshot(first).getList("occupants", String.class))
                .containsExactlyInAnyOrder(child.id(), LOST);
        await("the lost worker's sandbox to end", () -> occupants(first) == 1);
        assertThat(api.sandbox(LOST).getString("endReason")).isEqualTo("worker lost");

        client.kill(child.id());
        expect(204, api.delete("/snapshots/" + first));
        assertThat(client.lifecycleState(grandchild.id())).isEqualTo("RUNNING");
        assertRefused(404, "snapshot_deleted", api.restore(first, Map.of()));
        assertThat(api.snapshot(second).getString("parentId")).isEqualTo(first);
        assertThat(api.snapshot(second).getBoolean("verdict.restorable")).isTrue();
        assertRefused(409, "snapshot_occupied", api.delete("/snapshots/" + second));
        client.kill(grandchild.id());
        expect(204, api.delete("/snapshots/" + second));
    }

    /**
     * One sandbox that is said to run where nothing runs any more; in ten seconds that is a fact.
     */
    private static final String LOST = "ilostlostlostlostlost";

    private static void lost(String snapshot) throws Exception {
        api.sql(
                "insert into worker (id, platform, architecture, sandbox_limit, lease_until,"
                        + " started_at) values ('lost-it', 'gvisor systrap', 'amd64', 1,"
                        + " now() - interval '4 minutes 50 seconds', now())");
        api.sql(
                "insert into sandbox select (json_populate_record(s, '{\"id\": \""
                        + LOST
                        + "\", \"worker_id\": \"lost-it\", \"machine_id\": null,"
                        + " \"idempotency_key\": null, \"state\": \"RUNNING\", \"image_id\": null,"
                        + " \"upload_id\": null}')).* from sandbox s where snapshot_id = '"
                        + snapshot
                        + "' and state <> 'ENDED' limit 1");
    }

    private static int occupants(String snapshot) {
        return api.snapshot(snapshot).getList("occupants").size();
    }

    private Sandbox sandbox(String from) {
        var sandbox = client.create(from, LIFE);
        opened.add(sandbox);
        return sandbox;
    }

    private String capture(Sandbox source) {
        var snapshot = client.snapshot(source).id();
        kept.add(snapshot);
        return snapshot;
    }
}
