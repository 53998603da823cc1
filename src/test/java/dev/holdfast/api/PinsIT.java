package dev.holdfast.api;

import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.api.Stock.Row;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What keeps snapshots from their end or brings them back, over rows that nobody captured. */
class PinsIT {

    private static final String SOURCE = "ipinned00000000000000";

    private Stock stock;
    private UUID id;
    private String path;

    @BeforeEach
    void begins() throws Exception {
        stock = new Stock();
        id = stock.save(Duration.ofDays(3), SOURCE);
        path = "/snapshots/" + id;
    }

    @AfterEach
    void leavesNothing() throws Exception {
        stock.close();
    }

    @Test
    @Tag("R32")
    @Tag("R85")
    @Tag("F11")
    void livesPastItsExpiryUntilItsPinIsLifted() throws Exception {
        for (Object wrong :
                List.of(
                        Map.of(),
                        Map.of("reason", " "),
                        Map.of("reason", "x", "until", "soon"),
                        Map.of("reason", "x", "until", Instant.now().minusSeconds(1).toString()),
                        Map.of("reason", "x", "until", "2999-01-01T00:00:00Z"),
                        Map.of("reason", "x", "owner", "me"))) {
            assertRefused(400, "invalid_parameter", stock.ask("PUT", path + "/pin", wrong));
        }
        String reader = stock.project.key("snapshots:read", "sandboxes:use");
        assertRefused(
                403,
                "permission_missing",
                OwnProject.ask(
                        reader,
                        "PUT",
                        "/projects/" + stock.project.id() + path + "/pin",
                        Map.of("reason", "x")));

        JsonPath pinned =
                expect(200, stock.ask("PUT", path + "/pin", Map.of("reason", "the last good one")));
        assertThat(pinned.getString("pin.reason")).isEqualTo("the last good one");
        assertThat(pinned.getString("pin.by")).startsWith("key:");
        assertThat(pinned.getString("pin.until")).isNull();
        assertThat(pinned.getString("expiresAt")).isNull();
        assertThat(pinned.getString("ownExpiresAt")).isNotNull();

        stock.change(id, "own_expires_at = now() - interval '1 minute'");
        Stock.run("expire-snapshots", Map.of("project", stock.project.id()));
        assertThat(expect(200, stock.ask("GET", path, null)).getString("status"))
                .isEqualTo("saved");
        assertThat(listed()).contains(id.toString());
        for (Response refused :
                List.of(
                        stock.ask("DELETE", path, null),
                        given().header("X-API-Key", stock.key())
                                .delete(SharedServer.api() + "/templates/" + id))) {
            assertRefused(409, "snapshot_pinned", refused);
            assertThat(refused.asString()).contains("the last good one");
        }
        JsonPath bulk =
                expect(
                        200,
                        stock.ask("POST", "/snapshots/delete", Map.of("ids", List.of(id + ""))));
        assertThat(bulk.getString("items[0].outcome")).isEqualTo("pinned");
        assertThat(bulk.getString("items[0].reason")).isEqualTo("snapshot_pinned");
        assertThat(bulk.getList("failed", String.class)).containsExactly(id.toString());

        JsonPath free = expect(200, stock.ask("DELETE", path + "/pin", null));
        assertThat(free.<Object>get("pin")).isNull();
        assertThat(free.getString("ownExpiresAt")).isNull();
        assertThat(Instant.parse(free.getString("expiresAt")))
                .as("what would be over has a day left")
                .isCloseTo(Instant.now().plus(Duration.ofDays(1)), within(1, ChronoUnit.MINUTES));
        expect(200, stock.ask("DELETE", path + "/pin", null));
        assertThat(stock.ask("DELETE", path, null).statusCode()).isEqualTo(204);
        assertRefused(
                404, "snapshot_deleted", stock.ask("PUT", path + "/pin", Map.of("reason", "x")));
        assertThat(
                        stock.value(
                                "select string_agg(action || ' ' || outcome, ', ' order by id) from"
                                        + " audit_entry where outcome = 'DONE' and subject_id = '"
                                        + id
                                        + "'"))
                .isEqualTo("snapshot.pin DONE, snapshot.unpin DONE, snapshot.delete DONE");
    }

    @Test
    @Tag("R85")
    @Tag("F11")
    void expiresWithItsPinWhereThatIsTheLaterOne() throws Exception {
        Instant end = Instant.now().plusSeconds(3600).truncatedTo(ChronoUnit.MICROS);
        stock.change(id, "expires_at = now() + interval '10 seconds'");
        JsonPath pinned =
                expect(
                        200,
                        stock.ask(
                                "PUT",
                                path + "/pin",
                                Map.of("reason", "for an hour", "until", end.toString())));
        assertThat(Instant.parse(pinned.getString("expiresAt"))).isEqualTo(end);
        JsonPath moved =
                expect(
                        200,
                        stock.ask(
                                "PATCH",
                                path,
                                Map.of("expiresAt", end.plusSeconds(60).toString())));
        assertThat(Instant.parse(moved.getString("expiresAt"))).isEqualTo(end.plusSeconds(60));
        stock.change(
                id,
                "own_expires_at = now() - interval '2 minutes', pinned_until = now() - interval"
                        + " '1 minute', expires_at = now() - interval '1 minute'");
        assertThat(listed()).isEmpty();
        assertRefused(
                404, "snapshot_expired", stock.ask("PUT", path + "/pin", Map.of("reason", "x")));
        Stock.run("expire-snapshots", Map.of("project", stock.project.id()));
        assertThat(stock.saved()).isEmpty();
    }

    @Test
    @Tag("R69")
    @Tag("F25")
    void isHeldUntilTheEndWhoeverAsks() throws Exception {
        Instant end = Instant.now().plus(Duration.ofDays(30)).truncatedTo(ChronoUnit.MICROS);
        String manager = stock.project.key("snapshots:read", "sandboxes:manage");
        String address = "/projects/" + stock.project.id() + path + "/hold";
        Map<String, String> order = Map.of("reason", "case 17", "until", end.toString());
        assertRefused(403, "permission_missing", OwnProject.ask(manager, "PUT", address, order));
        assertRefused(
                400, "invalid_parameter", stock.ask("PUT", path + "/hold", Map.of("reason", "x")));
        JsonPath held = expect(200, stock.ask("PUT", path + "/hold", order));
        assertThat(Instant.parse(held.getString("hold.until"))).isEqualTo(end);

        Response sooner =
                stock.ask(
                        "PUT",
                        path + "/hold",
                        Map.of("reason", "case 17", "until", end.minusSeconds(1).toString()));
        assertRefused(409, "snapshot_held", sooner);
        assertThat(sooner.jsonPath().getString("heldUntil")).isEqualTo(end.toString());
        Instant later = end.plusSeconds(60);
        expect(
                200,
                stock.ask(
                        "PUT",
                        path + "/hold",
                        Map.of("reason", "case 17 and 18", "until", later.toString())));
        assertThat(stock.ask("DELETE", path + "/hold", null).statusCode()).isEqualTo(405);
        assertThat(OwnProject.service("PUT", address, order).statusCode())
                .as("who administers the service")
                .isIn(403, 404);

        expect(200, stock.ask("PUT", path + "/pin", Map.of("reason", "x")));
        assertRefused(409, "snapshot_held", stock.ask("DELETE", path, null));
        JsonPath lifted = expect(200, stock.ask("DELETE", path + "/pin", null));
        assertThat(lifted.getString("hold.reason")).isEqualTo("case 17 and 18");
        JsonPath bulk =
                expect(
                        200,
                        stock.ask("POST", "/snapshots/delete", Map.of("ids", List.of(id + ""))));
        assertThat(bulk.getString("items[0].outcome")).isEqualTo("held");
        stock.change(id, "own_expires_at = now() - interval '1 minute'");
        Stock.run("expire-snapshots", Map.of("project", stock.project.id()));
        assertThat(stock.saved()).containsExactly(id.toString());

        UUID other = stock.save(Duration.ofDays(1), SOURCE);
        String admin = "/admin/projects/" + stock.project.id();
        assertThat(OwnProject.service("POST", admin + "/close", null).statusCode())
                .isBetween(200, 204);
        JsonPath purged = expect(200, OwnProject.service("POST", admin + "/purge", null));
        assertThat(purged.getInt("snapshots")).as("%s alone", other).isEqualTo(1);
        assertThat(stock.saved()).containsExactly(id.toString());

        stock.change(id, "held_until = now() - interval '1 second', expires_at = now()");
        Stock.run("expire-snapshots", Map.of("project", stock.project.id()));
        assertThat(stock.saved()).isEmpty();
        assertThat(
                        stock.value(
                                "select count(*) from audit_entry where action = 'snapshot.hold' and"
                                        + " outcome = 'DONE' and details ->> 'reason' like 'case 17%'"
                                        + " and subject_id = '"
                                        + id
                                        + "'"))
                .isEqualTo("2");
    }

    private List<String> listed() {
        return given().header("X-API-Key", stock.key())
                .get(SharedServer.api() + "/snapshots")
                .jsonPath()
                .getList("snapshotID", String.class);
    }

    private UUID named() throws Exception {
        Row row =
                new Row(
                        UUID.randomUUID(),
                        Instant.now().minus(Duration.ofDays(2)),
                        "build:v1",
                        SOURCE,
                        "{}");
        stock.save(Set.of(row));
        return row.id();
    }

    @Test
    @Tag("R56")
    @Tag("R69")
    @Tag("R117")
    @Tag("F11")
    void bringsBackWhatWasDeletedAsItWas() throws Exception {
        id = named();
        assertThat(expect(200, stock.ask("GET", "", null)).getLong("trashSeconds")).isZero();
        for (long wrong : new long[] {-1, 91 * 86_400}) {
            assertRefused(
                    400,
                    "invalid_parameter",
                    stock.ask("PATCH", "", Map.of("trashSeconds", wrong)));
        }
        UUID lost = stock.save(Duration.ofDays(1), SOURCE);
        assertThat(stock.ask("DELETE", "/snapshots/" + lost, null).statusCode()).isEqualTo(204);
        assertThat(stock.ask("POST", back(lost), null).statusCode()).isEqualTo(404);
        keepTrash();

        JsonPath before = snapshot(id);
        assertRefused(409, "snapshot_not_trashed", stock.ask("POST", back(id), null));
        delete(id);
        JsonPath trashed = snapshot(id);
        assertThat(trashed.getString("status")).isEqualTo("trashed");
        assertThat(trashed.getList("names")).isEmpty();
        assertThat(trashed.getString("formerName")).isEqualTo(before.getString("names[0]"));
        assertThat(Instant.parse(trashed.getString("trashedUntil")))
                .isCloseTo(Instant.now().plusSeconds(3600), within(1, ChronoUnit.MINUTES));
        assertThat(ids("trashed")).contains(id.toString());
        assertThat(ids("saved")).doesNotContain(id.toString());
        assertThat(
                        given().header("X-API-Key", stock.key())
                                .get(SharedServer.api() + "/snapshots")
                                .asString())
                .doesNotContain(id.toString());
        JsonPath storage = expect(200, stock.ask("GET", "/storage", null));
        assertThat(storage.getLong("trash.bytes")).isEqualTo(Stock.BYTES);
        assertRefused(
                404, "snapshot_deleted", stock.ask("POST", "/snapshots/" + id + "/restore", "{}"));
        JsonPath dry =
                expect(200, stock.ask("POST", "/snapshots/" + id + "/restore?dryRun=true", "{}"));
        assertThat(dry.getBoolean("restorable")).isFalse();
        assertThat(dry.getString("detail")).contains("in the trash");
        assertRefused(404, "snapshot_deleted", stock.ask("DELETE", "/snapshots/" + id, null));
        String reader = stock.project.key("snapshots:read");
        assertRefused(
                403,
                "permission_missing",
                OwnProject.ask(reader, "POST", "/projects/" + stock.project.id() + back(id), null));

        JsonPath back = expect(200, stock.ask("POST", back(id), null));
        assertThat(back.getString("status")).isEqualTo("saved");
        assertThat(back.getList("names")).isEqualTo(before.getList("names"));
        assertThat(back.getString("expiresAt")).isEqualTo(before.getString("expiresAt"));
        assertThat(back.getString("removalReason")).isNull();
        assertThat(expect(200, stock.ask("GET", "/storage", null)).getLong("trash.bytes")).isZero();

        delete(id);
        UUID heir = named();
        JsonPath unnamed = expect(200, stock.ask("POST", back(id), null));
        assertThat(unnamed.getList("names")).as("its name is another's by now").isEmpty();
        assertThat(snapshot(heir).getList("names")).isEqualTo(before.getList("names"));
        assertThat(
                        stock.value(
                                "select count(*) from audit_entry where outcome = 'DONE' and action"
                                        + " = 'snapshot.bring_back' and subject_id = '"
                                        + id
                                        + "'"))
                .isEqualTo("2");

        delete(id);
        stock.change(heir, "expires_at = now() - interval '1 second'");
        JsonPath named = expect(200, stock.ask("POST", back(id), null));
        assertThat(named.getList("names"))
                .as("whoever had its name has expired, though no job has come by")
                .isEqualTo(before.getList("names"));
    }

    @Test
    @Tag("R85")
    @Tag("R52")
    @Tag("F11")
    void purgesWhatNobodyBringsBackInTime() throws Exception {
        id = named();
        keepTrash();
        stock.change(id, "expires_at = now() - interval '1 second'");
        Stock.run("expire-snapshots", Map.of("project", stock.project.id()));
        assertThat(snapshot(id).getString("status")).isEqualTo("trashed");
        assertThat(snapshot(id).getString("removalReason")).isEqualTo("expired");
        JsonPath back = expect(200, stock.ask("POST", back(id), null));
        assertThat(Instant.parse(back.getString("expiresAt")))
                .isCloseTo(Instant.now().plus(Duration.ofDays(1)), within(1, ChronoUnit.MINUTES));

        delete(id);
        assertThat(
                        Stock.run("purge-trash", Map.of("project", stock.project.id()))
                                .getString("outcome"))
                .isEqualTo("purged 0 of 0");
        stock.change(id, "cleanup_after = now() - interval '1 second'");
        assertRefused(404, "snapshot_deleted", stock.ask("POST", back(id), null));
        Stock.run("purge-trash", Map.of("project", stock.project.id()));
        assertThat(trashed()).isZero();
        assertRefused(404, "snapshot_deleted", stock.ask("POST", back(id), null));

        UUID one = stock.save(Duration.ofDays(1), SOURCE);
        UUID other = stock.save(Duration.ofDays(1), SOURCE);
        delete(one);
        delete(other);
        assertThat(stock.ask("DELETE", "/trash/" + one, null).statusCode()).isEqualTo(204);
        assertThat(trashed()).isEqualTo(1);
        assertThat(stock.ask("DELETE", "/trash/" + one, null).statusCode()).isEqualTo(404);
        assertThat(expect(200, stock.ask("DELETE", "/trash", null)).getInt("snapshots"))
                .isEqualTo(1);
        assertThat(trashed()).isZero();
    }

    private void keepTrash() {
        JsonPath set = expect(200, stock.ask("PATCH", "", Map.of("trashSeconds", 3600)));
        assertThat(set.getLong("trashSeconds")).isEqualTo(3600);
    }

    private void delete(UUID snapshot) {
        assertThat(stock.ask("DELETE", "/snapshots/" + snapshot, null).statusCode()).isEqualTo(204);
    }

    private static String back(UUID snapshot) {
        return "/trash/" + snapshot + "/bring-back";
    }

    private List<String> ids(String status) {
        return expect(200, stock.ask("GET", "/snapshots?status=" + status, null))
                .getList("snapshots.id", String.class);
    }

    private int trashed() throws Exception {
        return Integer.parseInt(
                stock.value(
                        "select count(*) from snapshot where state = 'TRASHED' and project_id = '"
                                + stock.project.id()
                                + "'"));
    }

    private JsonPath snapshot(UUID snapshot) {
        return expect(200, stock.ask("GET", "/snapshots/" + snapshot, null));
    }
}
