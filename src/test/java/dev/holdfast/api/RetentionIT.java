package dev.holdfast.api;

import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.Stock.Row;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Retention policies of projects of their own, over rows that nobody captured. */
class RetentionIT {

    private static final int ROWS = 2_000;
    private static final String SOURCE = "iretention00000000000";

    private Stock stock;

    @BeforeEach
    void begins() throws Exception {
        stock = new Stock();
    }

    @AfterEach
    void leavesNothing() throws Exception {
        stock.close();
    }

    @Test
    @Tag("F20")
    @Tag("R84")
    void changesNothingThatExistsUnlessSomebodyHasSeenWhatGoesAndSaysSo() throws Exception {
        List<String> ids = new ArrayList<>();
        for (int day = 1; day <= 6; day++) {
            ids.add(stock.save(Duration.ofDays(day), SOURCE).toString());
        }
        JsonPath none = expect(200, stock.ask("GET", "/retention", null));
        assertThat(none.getInt("version")).isZero();
        assertThat(snapshot(ids.get(0)).<Object>get("retentionVersion")).isNull();

        Object policy = policy(Map.of("per", "source", "keepLast", 2));
        JsonPath seen = preview(policy, true, Map.of());
        assertThat(seen.getInt("kept.count")).isEqualTo(2);
        assertThat(seen.getInt("going.count")).isEqualTo(4);
        assertThat(seen.getLong("going.bytes")).isEqualTo(4 * Stock.BYTES);
        assertThat(seen.getList("items.id", String.class)).isEqualTo(ids.subList(2, 6));
        assertThat(seen.getString("items[0].reasons[0].reason")).isEqualTo("surplus");
        assertThat(seen.getString("items[0].reasons[0].detail"))
                .isEqualTo("none of the last 2 of sandbox " + SOURCE);
        assertThat(preview(policy, false, Map.of()).getInt("going.count")).isZero();
        assertThat(stock.saved()).hasSize(6);

        JsonPath first = expect(200, adopt(policy, false, null));
        assertThat(first.getInt("version")).isEqualTo(1);
        assertThat(first.getBoolean("appliesToExisting")).isFalse();
        assertThat(first.getString("policy.zone")).isEqualTo("UTC");
        assertThat(first.getInt("policy.rules[0].keepLast")).isEqualTo(2);
        assertThat(preview(null, null, Map.of()).getInt("going.count")).isZero();
        assertThat(snapshot(ids.get(0)).<Object>get("retentionVersion")).isNull();
        String late = stock.save(Duration.ZERO, SOURCE).toString();
        assertThat(snapshot(late).getInt("retentionVersion")).isEqualTo(1);
        assertThat(
                        Stock.run("apply-retention", Map.of("project", stock.project.id()))
                                .getString("outcome"))
                .isEqualTo("let go 0 of 0");

        assertRefused(400, "invalid_parameter", adopt(policy, true, null));
        assertRefused(400, "invalid_parameter", adopt(policy, true, "x"));
        assertRefused(400, "invalid_parameter", adopt(policy, true, seen.getString("previewed")));
        UUID pinned = UUID.fromString(ids.get(5));
        stock.change(
                pinned, "pinned_at = now(), pinned_by = 'system', pin_reason = 'a test needs it'");
        JsonPath fewer = preview(policy, true, Map.of());
        assertThat(fewer.getInt("going.count")).isEqualTo(4);
        assertThat(fewer.getInt("shielded.count")).isEqualTo(1);
        assertThat(fewer.getList("items[4].reasons.reason", String.class))
                .containsExactly("surplus", "pinned");
        Object other = policy(Map.of("per", "source", "keepLast", 1));
        assertRefused(400, "invalid_parameter", adopt(other, true, fewer.getString("previewed")));
        stock.change(pinned, "pinned_at = null, pinned_by = null, pin_reason = null");
        Response more = adopt(policy, true, fewer.getString("previewed"));
        assertRefused(409, "concurrent_change", more);
        assertThat(more.jsonPath().getInt("going")).isEqualTo(5);
        String previewed = preview(policy, true, Map.of()).getString("previewed");
        assertThat(expect(200, adopt(policy, true, previewed)).getInt("version")).isEqualTo(2);
        assertThat(snapshot(ids.get(5)).getInt("retentionVersion")).isEqualTo(2);
        assertThat(preview(null, null, Map.of()).getInt("going.count")).isEqualTo(5);

        JsonPath versions = expect(200, stock.ask("GET", "/retention/versions?limit=1", null));
        assertThat(versions.getList("versions.version", Integer.class)).containsExactly(2);
        JsonPath behind =
                expect(
                        200,
                        stock.ask(
                                "GET",
                                "/retention/versions?after=" + versions.getString("next"),
                                null));
        assertThat(behind.getList("versions.version", Integer.class)).containsExactly(1);
        assertThat(behind.getString("next")).isNull();

        assertThat(
                        Stock.run("apply-retention", Map.of("project", stock.project.id()))
                                .getString("outcome"))
                .isEqualTo("let go 5 of 5");
        assertThat(stock.saved()).containsExactlyInAnyOrder(late, ids.get(0));
        Response gone =
                stock.ask("POST", "/snapshots/" + ids.get(3) + "/restore?dryRun=true", "{}");
        assertThat(gone.jsonPath().getString("reason"))
                .as(gone.asString())
                .isIn("snapshot_expired", "expired", "not_saved");
        assertThat(audit("snapshot.expire", ids.get(3)))
                .startsWith("version 2: none of the last 2 of sandbox");
    }

    private String audit(String action, String subject) throws Exception {
        return stock.value(
                "select details ->> 'retention' from audit_entry where action = '"
                        + action
                        + "' and subject_id = '"
                        + subject
                        + "'");
    }

    @Test
    @Tag("F20")
    @Tag("R10")
    void isSetByWhoAdministersTheProjectAndSeenByWhoReads() throws Exception {
        Object policy = policy(Map.of("maximumAgeSeconds", 86_400));
        String reader = stock.project.key("snapshots:read");
        String manager = stock.project.key("snapshots:read", "sandboxes:manage");
        String path = "/projects/" + stock.project.id() + "/retention";
        Map<String, Object> body = Map.of("policy", policy);
        assertRefused(403, "permission_missing", OwnProject.ask(manager, "PUT", path, body));
        expect(200, OwnProject.ask(reader, "GET", path, null));
        expect(200, OwnProject.ask(reader, "POST", path + "/preview", body));
        try (Stock other = new Stock()) {
            assertRefused(404, "project_not_found", OwnProject.ask(other.key(), "GET", path, null));
        }
        for (Object wrong :
                List.of(
                        Map.of(),
                        "[]",
                        Map.of("policy", "x"),
                        Map.of("policy", Map.of("rules", List.of(Map.of("keepLast", 3)))),
                        Map.of("policy", policy, "dryRun", true))) {
            assertRefused(400, "invalid_parameter", stock.ask("PUT", "/retention", wrong));
        }
        for (Object wrong :
                List.of(
                        Map.of("limit", 0),
                        Map.of("after", "x"),
                        Map.of("applyToExisting", true))) {
            assertRefused(400, "invalid_parameter", stock.ask("POST", "/retention/preview", wrong));
        }
        assertRefused(
                400, "invalid_parameter", stock.ask("GET", "/retention/versions?after=x", null));
        expect(200, stock.ask("PUT", "/retention", body));
        assertThat(
                        stock.value(
                                "select details ->> 'policy' from audit_entry where action ="
                                        + " 'retention.change' and outcome = 'DONE' and project_id"
                                        + " = '"
                                        + stock.project.id()
                                        + "'"))
                .contains("86400");
    }

    /** One random project, and a hundred with {@code holdfast.repeat} of the soak. */
    @Test
    @Tag("F20")
    void letsGoExactlyWhatThePreviewOfThatMomentShows() throws Exception {
        int rounds = Integer.getInteger("holdfast.repeat", 2) > 10 ? 100 : 1;
        for (int round = 0; round < rounds; round++) {
            long seed = round == 0 ? 7 : new Random().nextLong();
            stock.close();
            stock = new Stock();
            compares(new Random(seed), "seed " + seed);
        }
    }

    private void compares(Random random, String seed) throws Exception {
        List<Row> rows = crowd(random);
        stock.save(rows);
        for (Row each : rows) {
            switch (random.nextInt(40)) {
                case 0 -> stock.occupy(each.id());
                case 1 ->
                        stock.change(
                                each.id(),
                                "pinned_at = now(), pinned_by = 'system',"
                                        + " pin_reason = 'kept', own_expires_at = expires_at");
                case 2 ->
                        stock.change(
                                each.id(),
                                "held_at = now(), held_by = 'system',"
                                        + " hold_reason = 'kept', held_until = now() + interval '1 day',"
                                        + " own_expires_at = expires_at");
                case 3 ->
                        stock.change(
                                each.id(),
                                "pinned_at = now() - interval '2 days',"
                                        + " pinned_by = 'system', pin_reason = 'was kept',"
                                        + " pinned_until = now() - interval '1 day'");
                default -> {
                    // as most are
                }
            }
        }
        for (int version = 0; version < 3; version++) {
            Object policy = policy(random);
            String previewed = preview(policy, true, Map.of("limit", 1)).getString("previewed");
            expect(200, adopt(policy, true, previewed));
            // As if it had been there for a while, and for what came after it only.
            stock.sql(
                    "update retention_policy set since = now() - interval '"
                            + (60 - 25 * version)
                            + " days' where number = "
                            + (version + 1)
                            + " and project_id = '"
                            + stock.project.id()
                            + "'");
        }

        Set<String> before = stock.saved();
        Set<String> going = new HashSet<>();
        Set<String> shielded = new HashSet<>();
        JsonPath page = preview(null, null, Map.of("limit", 700));
        long count = page.getLong("going.count");
        while (true) {
            List<Map<String, Object>> items = page.getList("items");
            for (Map<String, Object> each : items) {
                Set<String> those = "go".equals(each.get("outcome")) ? going : shielded;
                assertThat(those.add((String) each.get("id")))
                        .as("%s, no row twice", seed)
                        .isTrue();
            }
            if (page.getString("next") == null) {
                break;
            }
            page = preview(null, null, Map.of("limit", 700, "after", page.getString("next")));
        }
        assertThat(going).as(seed).hasSize((int) count);
        assertThat(page.getLong("going.bytes")).isEqualTo(count * Stock.BYTES);
        assertThat(shielded).as(seed).hasSize(page.getInt("shielded.count")).isNotEmpty();
        assertThat(page.getInt("kept.count"))
                .isEqualTo(ROWS - going.size() - shielded.size())
                .isPositive();

        Map<String, Object> order = Map.of("project", stock.project.id());
        Map<String, Object> dry = new HashMap<>(order);
        dry.put("dryRun", "true");
        assertThat(Stock.run("apply-retention", dry).getString("outcome"))
                .isEqualTo("would let go %d (%d bytes)".formatted(count, count * Stock.BYTES));
        assertThat(stock.saved()).isEqualTo(before);
        assertThat(Stock.run("apply-retention", order).getString("outcome"))
                .isEqualTo("let go %d of %d".formatted(count, count));
        Set<String> after = stock.saved();
        before.removeAll(going);
        assertThat(after).as(seed).isEqualTo(before);
        assertThat(preview(null, null, Map.of()).getInt("going.count")).isZero();
    }

    /** Half an hour off every whole one, so that nothing comes of age while it is looked at. */
    private static List<Row> crowd(Random random) {
        Instant now = Instant.now();
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            String name =
                    random.nextInt(3) == 0
                            ? new String[] {"nightly", "build", "release-1"}[random.nextInt(3)]
                                    + ":v"
                                    + i
                            : null;
            rows.add(
                    new Row(
                            UUID.randomUUID(),
                            now.minus(Duration.ofHours(random.nextInt(90 * 24)))
                                    .minus(Duration.ofMinutes(30)),
                            name,
                            SOURCE.substring(0, 20) + (char) ('a' + random.nextInt(6)),
                            random.nextInt(4) == 0 ? "{\"team\":\"red\"}" : "{}"));
        }
        return rows;
    }

    private static Object policy(Random random) {
        List<Map<String, Object>> rules = new ArrayList<>();
        List<Map<String, Object>> all =
                List.of(
                        Map.of("name", "release-*", "maximumAgeSeconds", 80 * 86_400),
                        Map.of("name", "nightly", "per", "name", "keepDaily", 7, "keepWeekly", 4),
                        Map.of("labels", Map.of("team", "red"), "per", "source", "keepLast", 9),
                        Map.of("name", "b*:v1*", "per", "project", "keepHourly", 50),
                        Map.of("labels", Map.of("team", "red"), "minimumAgeSeconds", 86_400));
        for (Map<String, Object> each : all) {
            if (random.nextBoolean()) {
                rules.add(each);
            }
        }
        rules.add(
                Map.of(
                        "per",
                        random.nextBoolean() ? "source" : "project",
                        "keepLast",
                        1 + random.nextInt(20),
                        "keepDaily",
                        1 + random.nextInt(30),
                        "keepMonthly",
                        2,
                        "minimumAgeSeconds",
                        5 * 86_400));
        return Map.of("zone", random.nextBoolean() ? "UTC" : "Pacific/Auckland", "rules", rules);
    }

    @SafeVarargs
    private static Object policy(Map<String, Object>... rules) {
        return Map.of("rules", List.of(rules));
    }

    private JsonPath preview(Object policy, Boolean existing, Map<String, Object> more) {
        Map<String, Object> body = new HashMap<>(more);
        if (policy != null) {
            body.put("policy", policy);
            body.put("applyToExisting", existing);
        }
        return expect(200, stock.ask("POST", "/retention/preview", body));
    }

    private Response adopt(Object policy, boolean existing, String previewed) {
        Map<String, Object> body = new HashMap<>();
        body.put("policy", policy);
        body.put("applyToExisting", existing);
        if (previewed != null) {
            body.put("previewed", previewed);
        }
        return stock.ask("PUT", "/retention", body);
    }

    private JsonPath snapshot(String id) {
        return expect(200, stock.ask("GET", "/snapshots/" + id, null));
    }
}
