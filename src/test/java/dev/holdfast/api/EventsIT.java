package dev.holdfast.api;

import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static dev.holdfast.api.OwnProject.ask;
import static dev.holdfast.api.OwnProject.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.run.SharedServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What outsiders are told of what happens. */
class EventsIT {
    private static OwnProject project;
    private static String admin;
    private static String path;
    private static E2bClient client;
    private static NativeClient database;

    private static E2bClient.Sandbox sandbox;
    private static E2bClient.Snapshot snapshot;

    @BeforeAll
    static void livesALife() throws Exception {
        project = OwnProject.make("events");
        admin = project.everything();
        path = "/projects/" + project.id() + "/events";
        client = OwnProject.client(admin);
        database = new NativeClient();
        sandbox = client.create("base", Duration.ofMinutes(10));
        snapshot = client.snapshot(sandbox, "told");
        client.pause(sandbox);
        client.resume(sandbox, Duration.ofMinutes(10));
        client.kill(sandbox.id());
    }

    private static List<Map<String, Object>> events(String query) {
        return expect(200, ask(admin, "GET", path + "?" + query, null)).getList("events");
    }

    private static List<Object> types(String query) {
        return events(query).stream().map(each -> each.get("type")).toList();
    }

    @Test
    @Tag("F5")
    void everyTransitionIsToldOnceInItsOrder() {
        assertThat(types("subject=" + sandbox.id()))
                .containsExactly(
                        "sandbox.created",
                        "sandbox.started",
                        "sandbox.capture_started",
                        "sandbox.capture_ended",
                        "sandbox.pausing",
                        "sandbox.paused",
                        "sandbox.resuming",
                        "sandbox.resumed",
                        "sandbox.ended");
        var saved = events("subject=" + snapshot.id());
        assertThat(saved).hasSize(1);
        assertThat(saved.get(0).get("type")).isEqualTo("snapshot.saved");
        @SuppressWarnings("unchecked")
        var data = (Map<String, String>) saved.get(0).get("data");
        assertThat(data.get("sandboxId")).isEqualTo(sandbox.id());
        assertThat(data.get("name")).contains("told");
        assertThat(types("subject=" + data.get("captureId")))
                .containsExactly("capture.accepted", "capture.completed");
        // The state of the pause is no snapshot, but it was captured.
        assertThat(types("kind=capture")).hasSize(4);
        assertThat(types("kind=snapshot")).containsExactly("snapshot.saved");
    }

    @Test
    void eventsAreReadPageByPageInTheOrderOfTheirIds() {
        List<String> whole = events("limit=100").stream().map(e -> (String) e.get("id")).toList();
        assertThat(whole).isSorted().doesNotHaveDuplicates().hasSizeGreaterThan(12);

        List<String> seen = new ArrayList<>();
        String next = null;
        do {
            var page =
                    expect(
                            200,
                            ask(
                                    admin,
                                    "GET",
                                    path + "?limit=3" + (next == null ? "" : "&after=" + next),
                                    null));
            assertThat(page.getBoolean("gap") && next == null).as("from the start").isFalse();
            seen.addAll(page.getList("events.id"));
            next = page.getString("next");
        } while (next != null);
        assertThat(seen).containsSubsequence(whole);

        for (var wrong : new String[] {"after=7", "kind=weather", "limit=101", "limit=x"}) {
            assertRefused(400, "invalid_parameter", ask(admin, "GET", path + "?" + wrong, null));
        }
        assertThat(
                        expect(200, ask(admin, "GET", path + "?after=9999999999999999", null))
                                .getBoolean("gap"))
                .isTrue();
    }

    @Test
    void aProjectSeesItsOwnAndTheServiceAll() {
        var other = OwnProject.make("elsewhere").key("snapshots:read");
        assertRefused(404, "project_not_found", ask(other, "GET", path, null));
        assertRefused(
                403, "permission_missing", ask(project.key("sandboxes:use"), "GET", path, null));
        assertRefused(403, "permission_missing", ask(admin, "GET", "/admin/events", null));
        var all =
                expect(200, service("GET", "/admin/events?subject=" + sandbox.id(), null))
                        .getList("events.project", String.class);
        assertThat(all).hasSize(9).containsOnly(project.id());
        assertThat(
                        expect(200, service("GET", "/admin/events?kind=job", null))
                                .getList("events.type", String.class))
                .isNotEmpty()
                .allMatch(type -> type.startsWith("job."));
    }

    @Test
    void whatIsOlderThanIsKeptGoesAndWhoeverMissedItIsTold() throws Exception {
        happen("old", 3);
        var old = events("subject=old");
        assertThat(old).hasSize(3);
        database.sql("update event set at = now() - interval '31 days' where subject = 'old'");

        var deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!events("subject=old").isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(200);
        }
        assertThat(events("subject=old")).isEmpty();
        assertThat(
                        expect(
                                        200,
                                        ask(
                                                admin,
                                                "GET",
                                                path + "?after=" + old.get(1).get("id"),
                                                null))
                                .getBoolean("gap"))
                .isTrue();
        happen("new", 1);
        var late = old.get(1).get("id").toString();
        try (var stream = EventReader.open(admin, path + "?subject=new", late)) {
            assertThat(stream.next(2))
                    .extracting(EventReader.Told::type)
                    .containsExactly("gap", "quota.warning");
        }
        try (var ahead = EventReader.open(admin, path, "9999999999999999")) {
            assertThat(ahead.next(1)).extracting(EventReader.Told::type).containsExactly("gap");
        }
    }

    @Test
    void aStreamTellsWhatHappensAndGoesOnWhereItWasCut() throws Exception {
        String first;
        try (var stream = EventReader.open(admin, path + "?subject=sse", null)) {
            happen("sse", 3);
            var told = stream.next(3);
            assertThat(told)
                    .extracting(EventReader.Told::type)
                    .containsExactly("quota.warning", "quota.warning", "quota.warning");
            assertThat(told).extracting(EventReader.Told::id).isSorted().doesNotHaveDuplicates();
            assertThat(told.get(0).data()).contains(told.get(0).id(), project.id());
            first = told.get(0).id();
        }
        happen("sse", 2);
        String quiet;
        try (var again = EventReader.open(admin, path + "?subject=sse", first)) {
            assertThat(again.next(4))
                    .extracting(EventReader.Told::id)
                    .containsExactlyElementsOf(
                            events("subject=sse").stream()
                                    .skip(1)
                                    .map(each -> each.get("id").toString())
                                    .toList());
            // What is not for this reader moves its place all the same.
            happen("other", 1);
            String seen = again.lastId();
            quiet = seen;
            for (int i = 0; i < 100 && quiet.equals(seen); i++) {
                Thread.sleep(100);
                quiet = again.lastId();
            }
            assertThat(quiet).isGreaterThan(seen);
        }
        var live = EventReader.open(admin, path + "?kind=sandbox", quiet);
        var soon = client.create("base", Duration.ofMinutes(1));
        var asked = System.nanoTime();
        assertThat(live.next(2))
                .extracting(EventReader.Told::type)
                .containsExactly("sandbox.created", "sandbox.started");
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(2));
        client.kill(soon.id());
        live.close();
        for (var wrong : new String[] {"1", "x", "'"}) {
            assertThat(EventReader.ask(admin, path, wrong).statusCode()).isEqualTo(400);
        }
    }

    @Test
    void aStreamEndsWithItsKeyAndAProjectHasOnlySoMany() throws Exception {
        var own = OwnProject.make("streams");
        var its = "/projects/" + own.id() + "/events";
        var issued = own.issued("snapshots:read");
        List<EventReader> open = new ArrayList<>();
        for (int i = 0; i < SharedServer.STREAMS; i++) {
            open.add(EventReader.open(issued.getString("key"), its, null));
        }
        var refused = EventReader.ask(issued.getString("key"), its, null);
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(new String(refused.body().readAllBytes())).contains("rate_limited");

        expect(
                204,
                service(
                        "DELETE",
                        "/projects/" + own.id() + "/keys/" + issued.getString("id"),
                        null));

        for (var each : open) {
            assertThat(each.ends()).isTrue();
        }
    }

    @Test
    void whoDoesNotReadIsCutOffAndOthersGetAll() throws Exception {
        var own = OwnProject.make("slow");
        var key = own.key("snapshots:read");
        var its = "/projects/" + own.id() + "/events";
        database.sql(
                "insert into event_pending (project_id, type, kind, subject, details) select '"
                        + own.id()
                        + "', 'quota.warning', 'quota', 'much', jsonb_build_object('x',"
                        + " repeat('y', 2000)) from generate_series(1, 6000) i");
        try (var slow = new Socket()) {
            slow.setReceiveBufferSize(4096);
            slow.connect(
                    new InetSocketAddress(
                            SharedServer.api().getHost(), SharedServer.api().getPort()));
            slow.getOutputStream()
                    .write(
                            ("GET /api/v1"
                                            + its
                                            + " HTTP/1.1\r\nHost: localhost\r\nX-API-Key: "
                                            + key
                                            + "\r\nAccept: text/event-stream\r\n"
                                            + "Last-Event-ID: 0000000000000000\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            try (var reader = EventReader.open(key, its, "0000000000000000")) {
                assertThat(reader.next(6000))
                        .extracting(EventReader.Told::id)
                        .hasSize(6000)
                        .isSorted()
                        .doesNotHaveDuplicates();
            }
            Thread.sleep(6000);
            assertThatThrownBy(
                            () -> slow.getInputStream().transferTo(OutputStream.nullOutputStream()))
                    .isInstanceOf(IOException.class);
        }
    }

    private static void happen(String subject, int times) throws Exception {
        database.sql(
                "insert into event_pending (project_id, type, kind, subject) select '"
                        + project.id()
                        + "', 'quota.warning', 'quota', '"
                        + subject
                        + "' from generate_series(1, "
                        + times
                        + ")");
    }
}
