package dev.holdfast.api;

import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static dev.holdfast.api.OwnProject.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.webhook.Verifiers;
import io.restassured.path.json.JsonPath;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Endpoints that are told what happens. */
class WebhooksIT {

    /** How long the receiver is away: a minute with {@code -Dholdfast.repeat=50}. */
    private static final Duration AWAY =
            Integer.getInteger("holdfast.repeat", 2) > 4
                    ? Duration.ofMinutes(1)
                    : Duration.ofSeconds(2);

    private final NativeClient database = new NativeClient();
    private OwnProject project;
    private String admin;
    private String path;

    @BeforeEach
    void makesAProject() {
        project = OwnProject.make("webhooks");
        admin = project.everything();
        path = "/projects/" + project.id() + "/webhooks";
    }

    private JsonPath add(String url, List<String> types) {
        return expect(201, ask(admin, "POST", path, Map.of("url", url, "types", types)));
    }

    private JsonPath get(String below) {
        return expect(200, ask(admin, "GET", path + below, null));
    }

    private void happen(int subjects, int each) throws Exception {
        database.sql(
                "insert into event_pending (project_id, type, kind, subject, details) select '"
                        + project.id()
                        + "', 'quota.warning', 'quota', 's' || s, jsonb_build_object('n',"
                        + " cast(i as text)) from generate_series(1, "
                        + each
                        + ") i, generate_series(1, "
                        + subjects
                        + ") s");
    }

    private void happenSome() {
        try {
            happen(15, 1);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        var deadline = System.nanoTime() + AWAY.multipliedBy(5).plusSeconds(30).toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            Thread.sleep(50);
        }
    }

    @Test
    @Tag("F22")
    void aReceiverThatWasAwayUnderLoadMissesNothingAndTellsDoublesByTheirId() throws Exception {
        try (var receiver = new WebhookReceiver()) {
            receiver.start();
            receiver.expect(add(receiver.url(), List.of()).getString("secret"));
            receiver.refuse(10);
            var load = Executors.newSingleThreadScheduledExecutor();
            try {
                load.scheduleWithFixedDelay(this::happenSome, 0, 200, TimeUnit.MILLISECONDS);
                await(() -> receiver.taken().size() > 5);
                receiver.stop();
                Thread.sleep(AWAY.toMillis());
                int before = receiver.taken().size();
                receiver.start();
                receiver.refuse(0);
                await(() -> receiver.taken().size() > before);
            } finally {
                load.shutdown();
                assertThat(load.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
            }
            expect(200, ask(admin, "GET", "/projects/" + project.id() + "/events", null));
            var happened =
                    database.value(
                                    "select string_agg(lpad(position::text, 16, '0'), ' ')"
                                            + " from event where project_id = '"
                                            + project.id()
                                            + "'")
                            .split(" ");

            await(() -> receiver.taken().size() >= happened.length);

            assertThat(receiver.wrong()).isEmpty();
            assertThat(receiver.taken())
                    .extracting(WebhookReceiver.Taken::id)
                    .hasSizeGreaterThan(15 * (int) AWAY.toSeconds())
                    .containsExactlyInAnyOrder(happened);
            Map<String, List<String>> ids = new HashMap<>();
            receiver.taken()
                    .forEach(
                            one ->
                                    ids.computeIfAbsent(one.subject(), s -> new ArrayList<>())
                                            .add(one.id()));
            assertThat(ids).hasSize(15);
            ids.forEach((subject, order) -> assertThat(order).as(subject).isSorted());
        }
    }

    @Test
    void whatIsDeliveredIsSignedShownAndSentAgainWhenAsked() throws Exception {
        try (var receiver = new WebhookReceiver()) {
            receiver.start();
            var made = add(receiver.url(), List.of("quota.warning"));
            var secret = made.getString("secret");
            var below = "/" + made.getString("id");
            assertThat(get(below).getString("secret")).isNull();
            receiver.expect(secret);
            happen(1, 1);
            await(() -> receiver.taken().size() == 1);
            var first = receiver.taken().get(0);
            for (var language : List.of("python", "js", "java")) {
                assertThat(Verifiers.accepts(language, secret, first.headers(), first.body()))
                        .as(language)
                        .isTrue();
            }
            await(
                    () ->
                            get(below + "/deliveries?state=delivered").getList("deliveries").size()
                                    == 1);
            var log = get(below + "/deliveries?state=delivered");
            assertThat(log.getString("deliveries[0].id")).isEqualTo(first.id());
            assertThat(log.getInt("deliveries[0].status")).isEqualTo(200);
            assertThat(log.getInt("deliveries[0].attempts")).isEqualTo(1);

            var rotated = expect(200, ask(admin, "POST", path + below + "/rotate", null));
            assertThat(rotated.getString("secret")).startsWith("whsec_").isNotEqualTo(secret);
            var again = path + below + "/deliveries/" + first.id() + "/replay";
            expect(204, ask(admin, "POST", again, null));
            await(() -> receiver.doubles() == 1); // by the old secret, which is still good
            receiver.expect(rotated.getString("secret"));
            var since = Map.of("since", Instant.now().minusSeconds(600).toString());
            await(
                    () ->
                            get(below + "/deliveries?state=delivered").getList("deliveries").size()
                                    == 1);
            assertThat(
                            expect(202, ask(admin, "POST", path + below + "/replay", since))
                                    .getInt("deliveries"))
                    .isEqualTo(1);
            await(() -> receiver.doubles() == 2);
            assertThat(receiver.doubles()).isEqualTo(2);
            assertThat(receiver.wrong()).isEmpty();

            receiver.answer(410);
            happen(1, 1);
            await(() -> get(below).getString("state").equals("disabled"));
            assertThat(get(below).getString("disabledReason")).contains("410");
            assertThat(
                            expect(
                                            200,
                                            ask(
                                                    admin,
                                                    "GET",
                                                    "/projects/"
                                                            + project.id()
                                                            + "/events?kind=webhook",
                                                    null))
                                    .getList("events.type"))
                    .containsExactly("webhook.disabled");
            happen(2, 1);
            receiver.answer(200);
            var types = List.of("quota.warning", "quota.repaired");
            var both = Map.of("enabled", true, "types", types);
            assertRefused(
                    400,
                    "invalid_parameter",
                    ask(admin, "PATCH", path + below, Map.of("enabled", true, "url", "ftp://x")));
            assertThat(get(below).getString("state")).isEqualTo("disabled");
            expect(200, ask(admin, "PATCH", path + below, both));
            await(() -> receiver.taken().size() == 4);
            assertThat(receiver.taken()).hasSize(4);
            assertThat(
                            database.value(
                                    "select count(*) from audit_entry where action ="
                                            + " 'webhook.change' and details ->> 'enabled' ="
                                            + " 'true' and subject_id = '"
                                            + made.getString("id")
                                            + "'"))
                    .isEqualTo("1");
            // The log goes by when a delivery was over, and not by when it happened.
            var own = " where webhook_id = '" + made.getString("id") + "'";
            await(() -> get(below + "/deliveries?state=pending").getList("deliveries").isEmpty());
            database.sql(
                    "update webhook_delivery set happened_at = now() - interval '8 days'" + own);
            database.sql(
                    "update webhook_delivery set last_at = now() - interval '8 days'"
                            + own
                            + " and position = (select min(position) from webhook_delivery"
                            + own
                            + ")");
            await(() -> get(below + "/deliveries").getList("deliveries").size() == 3);
            assertThat(get(below + "/deliveries").getList("deliveries")).hasSize(3);
            expect(204, ask(admin, "DELETE", path + below, null));
            assertRefused(404, "webhook_not_found", ask(admin, "GET", path + below, null));
            assertThat(database.value("select count(*) from webhook_delivery" + own))
                    .isEqualTo("0");
        }
    }

    @Test
    void nothingLeadsInsideAndWhatIsWrongIsRefused() throws Exception {
        var inside = add("http://169.254.169.254/latest", List.of());
        happen(1, 1);
        var below = "/" + inside.getString("id") + "/deliveries?state=pending";
        await(() -> get(below).getString("deliveries[0].detail") != null);
        assertThat(get(below).getString("deliveries[0].detail"))
                .contains("unless the operator allows it");
        assertThat(get(below).getString("deliveries[0].nextAttemptAt")).isNotNull();

        for (var wrong :
                List.of(
                        Map.of("url", "ftp://example.com"),
                        Map.of("url", "https://u:p@example.com"),
                        Map.of("url", "https://example.com", "types", List.of("no.such")),
                        Map.of("url", "https://example.com", "secret", "mine"),
                        Map.of("types", List.of()))) {
            assertRefused(400, "invalid_parameter", ask(admin, "POST", path, wrong));
        }
        for (int i = 0; i < 3; i++) {
            add("https://example.com/" + i, List.of("job.failed"));
        }
        assertRefused(
                409,
                "webhook_limit_reached",
                ask(admin, "POST", path, Map.of("url", "https://example.com")));
        assertThat(get("").getList("webhooks")).hasSize(4);
        assertRefused(
                403, "permission_missing", ask(project.key("snapshots:read"), "GET", path, null));
        var other = OwnProject.make("other").key("project:admin");
        assertRefused(
                404,
                "project_not_found",
                ask(other, "GET", path + "/" + inside.getString("id"), null));
    }
}
