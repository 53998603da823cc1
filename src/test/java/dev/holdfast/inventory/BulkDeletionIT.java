package dev.holdfast.inventory;

import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static dev.holdfast.api.NativeClient.json;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.OtherProject;
import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Deletion of many, over rows in a project of its own. */
class BulkDeletionIT {

    private final List<Shelved> crowd =
            Shelved.crowd(11, 80, Instant.now().truncatedTo(ChronoUnit.MICROS));

    private String key;
    private UUID project;
    private Connection database;

    @BeforeEach
    void fillsAProject() throws Exception {
        key =
                OtherProject.key(
                        SharedServer.api(),
                        SharedServer.apiKey(),
                        SharedServer.get().databaseUrl());
        project =
                UUID.fromString(
                        given().header("X-API-Key", key)
                                .get(SharedServer.api() + "/teams")
                                .jsonPath()
                                .getString("[0].teamID"));
        database = DriverManager.getConnection(SharedServer.get().databaseUrl());
        Shelved.write(database, project, crowd);
        // As much as they all can free is charged, so that no clean-up frees more.
        sql(
                "insert into project_usage (project_id, stored_bytes, stored_count) values ('"
                        + project
                        + "', 1000000000000, 1000)");
    }

    @AfterEach
    void emptiesIt() throws Exception {
        for (var statement : Shelved.removal(project)) {
            sql(statement);
        }
        database.close();
    }

    @Test
    @Tag("R2")
    @Tag("R47")
    @Tag("R50")
    @Tag("R54")
    @Tag("R55")
    @Tag("R69")
    @Tag("F25")
    void deletesEachByItselfAndRetriesOnlyWhatFailed() throws Exception {
        List<Shelved> live = of(Shelf.LIVE);
        Shelved held = live.get(0);
        occupy(held);
        String unknown = UUID.randomUUID().toString();
        String upload = of(Shelf.UPLOADING).get(0).id().toString();
        String pending = of(Shelf.PENDING).get(0).id().toString();
        List<String> ids = new ArrayList<>(live.subList(0, 10).stream().map(this::id).toList());
        ids.addAll(List.of(unknown, upload, pending, ids.get(1)));

        String pin =
                "update snapshot set pinned_at = %s, pin_reason = %s, pinned_by = %s where id = '%s'";
        sql(pin.formatted("now()", "'why'", "'system'", ids.get(2)));
        JsonPath seen = expect(200, delete(Map.of("ids", ids, "preview", true)));
        assertThat(seen.getInt("count")).as("that are there").isEqualTo(12);
        assertThat(seen.getInt("guarded")).as("that are pinned or held").isEqualTo(1);
        sql(pin.formatted("null", "null", "null", ids.get(2)));
        assertThat(seen.getLong("bytes")).isEqualTo(bytes(ids));
        assertThat(seen.getList("occupied.id", String.class)).containsExactly(id(held));
        assertThat(seen.getList("occupied[0].occupants", String.class))
                .containsExactly(held.occupant());
        assertThat(count("SAVED")).as("nothing is changed").isEqualTo(saved());

        JsonPath done = expect(200, delete(Map.of("ids", ids)));
        assertThat(done.getList("items.id", String.class)).doesNotHaveDuplicates().hasSize(13);
        assertThat(done.getLong("deleted")).isEqualTo(9);
        assertThat(outcome(done, unknown)).isEqualTo("notFound snapshot_not_found");
        assertThat(outcome(done, upload)).isEqualTo("notSaved snapshot_not_saved");
        assertThat(outcome(done, pending)).isEqualTo("awaitingCleanup snapshot_deleted");
        assertThat(outcome(done, id(held))).isEqualTo("occupied snapshot_occupied");
        assertThat(done.getList("items.find { it.outcome == 'occupied' }.occupants", String.class))
                .containsExactly(held.occupant());
        assertThat(done.getList("failed", String.class))
                .containsExactlyInAnyOrder(id(held), upload);

        assertThat(told())
                .as("each by itself, as if it had been deleted alone")
                .hasSize(13)
                .contains(
                        id(live.get(1)) + " DONE null",
                        id(held) + " REFUSED snapshot_occupied",
                        upload + " REFUSED snapshot_not_saved",
                        pending + " REFUSED snapshot_deleted",
                        unknown + " REFUSED snapshot_not_found");

        sql("delete from sandbox where id = '" + held.occupant() + "'");
        JsonPath again = expect(200, delete(Map.of("ids", done.getList("failed"))));
        assertThat(outcome(again, id(held))).startsWith("deleted");
        assertThat(again.getList("failed", String.class)).containsExactly(upload);
        JsonPath thrice = expect(200, delete(Map.of("ids", List.of(id(held)))));
        assertThat(thrice.getList("failed")).as("what is gone is no failure").isEmpty();
    }

    @Test
    @Tag("R47")
    @Tag("R50")
    @Tag("R54")
    @Tag("F25")
    void deletesByAFilterWhatSomebodyHasSeenAndNothingElse() throws Exception {
        String creator = of(Shelf.LIVE).get(0).creator();
        List<Shelved> meant =
                of(Shelf.LIVE).stream().filter(each -> each.creator().equals(creator)).toList();
        occupy(meant.get(0));
        Map<String, Object> filter = Map.of("createdBy", creator);
        assertRefused(400, "invalid_parameter", delete(Map.of("filter", filter)));
        JsonPath seen = expect(200, delete(Map.of("filter", filter, "preview", true)));
        assertThat(seen.getInt("count")).isEqualTo(meant.size());
        assertThat(seen.getBoolean("countIsExact")).isTrue();
        assertThat(seen.getLong("bytes")).isEqualTo(meant.stream().mapToLong(Shelved::size).sum());
        assertThat(seen.getList("occupied.id", String.class)).containsExactly(id(meant.get(0)));
        String previewed = seen.getString("previewed");
        assertRefused(
                400,
                "invalid_parameter",
                delete(Map.of("filter", Map.of(), "previewed", previewed)));

        // One that came in from elsewhere, and one that was made later.
        Shelved other =
                of(Shelf.LIVE).stream()
                        .filter(each -> !each.creator().equals(creator))
                        .findFirst()
                        .orElseThrow();
        move(other, creator);
        Response changed = delete(Map.of("filter", filter, "previewed", previewed));
        assertRefused(409, "concurrent_change", changed);
        move(other, other.creator());
        assertThat(count("SAVED")).isEqualTo(saved());
        Shelved late = other;
        sql(
                "update snapshot set created_by = '"
                        + creator
                        + "', created_at = now() + interval '1 minute' where id = '"
                        + late.id()
                        + "'");

        JsonPath done = expect(200, delete(Map.of("filter", filter, "previewed", previewed)));
        assertThat(done.getLong("deleted")).isEqualTo(meant.size() - 1);
        assertThat(done.getList("failed", String.class)).containsExactly(id(meant.get(0)));
        assertThat(done.getString("next")).isNull();
        assertThat(done.getList("items.id", String.class)).doesNotContain(id(late));
        assertThat(count("SAVED")).isEqualTo(saved() - meant.size() + 1);
    }

    @Test
    @Tag("R54")
    @Tag("F4")
    void previewsAlsoWhereVeryManySandboxesLive() throws Exception {
        Shelved held = of(Shelf.LIVE).get(0);
        occupy(held);
        // More than a statement has parameters, on each of the shelves.
        sql(
                "insert into sandbox (id, project_id, template_id, template_digest, worker_id,"
                        + " state, secured, cpus, memory_mib, disk_mib, lifetime_seconds,"
                        + " created_at, created_by, started_at, end_at, image_id)"
                        + " select 'imany' || lpad(n::text, 16, '0'), project_id, template_id,"
                        + " template_digest, worker_id, 'PAUSED', secured, cpus, memory_mib,"
                        + " disk_mib, lifetime_seconds, created_at, created_by, started_at, end_at,"
                        + " gen_random_uuid() from sandbox, generate_series(1, 14000) n where id = '"
                        + held.occupant()
                        + "'");
        JsonPath seen =
                expect(200, delete(Map.of("filter", Map.of("status", "all"), "preview", true)));
        assertThat(seen.getList("occupied.id", String.class))
                .hasSize(1 + of(Shelf.EXPIRED).size())
                .contains(id(held));
        assertThat(
                        expect(200, delete(Map.of("ids", List.of(id(held)), "preview", true)))
                                .getList("occupied.id", String.class))
                .containsExactly(id(held));
    }

    /** The lines are what a person pastes; a word in capitals is what the answer before had. */
    @Test
    @Tag("R14")
    @Tag("R54")
    void theReadmeSaysWhatTheListTakes() throws Exception {
        occupy(
                of(Shelf.LIVE).stream()
                        .filter(each -> each.name() != null && each.name().contains("build"))
                        .findFirst()
                        .orElseThrow());
        String readme = Files.readString(Path.of("README.md"));
        int begin = readme.indexOf("## The list of snapshots");
        List<String> lines =
                Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL)
                        .matcher(readme.substring(begin, readme.indexOf("\n## ", begin)))
                        .results()
                        .flatMap(block -> block.group(1).lines())
                        .toList();
        StringBuilder settings = new StringBuilder();
        JsonPath answer = null;
        for (String line : lines) {
            if (!line.startsWith("curl")) {
                settings.append(line).append('\n');
                continue;
            }
            String asked = line;
            for (String word : List.of("next", "previewed")) {
                asked =
                        asked.contains(word.toUpperCase())
                                ? asked.replace(word.toUpperCase(), answer.getString(word))
                                : asked;
            }
            if (asked.contains("FAILED")) {
                asked = asked.replace("FAILED", json(answer.getList("failed")));
            }
            answer = JsonPath.from(pasted(settings + asked));
            assertThat(answer.getString("reason")).as(line).isNull();
        }
        assertThat(answer.getList("items.outcome")).isEqualTo(List.of("occupied"));
    }

    private String pasted(String lines) throws Exception {
        var shell = new ProcessBuilder("bash", "-euc", lines);
        shell.environment()
                .putAll(
                        Map.of(
                                "E2B_API_URL", SharedServer.api().toString(),
                                "E2B_API_KEY", key,
                                "PROJECT", project.toString()));
        var process = shell.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(lines).isZero();
        return answer;
    }

    @Test
    void refusesWhatItDoesNotUnderstandBeforeAnythingIsDone() throws Exception {
        String id = id(of(Shelf.LIVE).get(0));
        for (Object wrong :
                List.of(
                        Map.of(),
                        "[]",
                        Map.of("ids", List.of()),
                        Map.of("ids", List.of("x")),
                        Map.of("ids", List.of(id), "filter", Map.of()),
                        Map.of("ids", List.of(id), "dryRun", true),
                        Map.of("ids", List.of(id), "preview", "yes"),
                        Map.of("ids", id),
                        Map.of("filter", Map.of("creator", "x"), "preview", true),
                        Map.of("filter", Map.of("search", "ab"), "preview", true),
                        Map.of("filter", Map.of(), "previewed", "x"))) {
            assertRefused(400, "invalid_parameter", delete(wrong));
        }
        assertThat(count("SAVED")).isEqualTo(saved());
    }

    @Test
    @Tag("R32")
    @Tag("F6")
    void carriesWhatPeopleWriteOnIt() throws Exception {
        String id = id(of(Shelf.LIVE).get(0));
        String other = id(of(Shelf.LIVE).get(1));
        Response first = patch(id, null, "{\"note\":\"keep\",\"labels\":{\"team\":\"a b\"}}");
        expect(200, first);
        JsonPath more =
                expect(
                        200,
                        patch(
                                id,
                                first.header("ETag"),
                                "{\"labels\":{\"run\":\"7\",\"none\":null}}"));
        assertThat(more.getString("note")).isEqualTo("keep");
        assertThat(more.getMap("labels")).isEqualTo(Map.of("team", "a b", "run", "7"));
        assertRefused(
                412, "precondition_failed", patch(id, first.header("ETag"), "{\"note\":null}"));
        expect(
                200,
                patch(other, null, "{\"labels\":{\"team\":\"a b\"},\"retentionSeconds\":864000}"));

        assertThat(labelled("label", "team=a b")).containsExactlyInAnyOrder(id, other);
        assertThat(labelled("label", "team=a b", "label", "run=7")).containsExactly(id);
        assertThat(labelled("label", "team=a")).isEmpty();
        JsonPath bare = expect(200, patch(id, null, "{\"note\":null,\"labels\":{\"team\":null}}"));
        assertThat(bare.getString("note")).isNull();
        assertThat(bare.getMap("labels")).isEqualTo(Map.of("run", "7"));
        for (String wrong :
                List.of(
                        "{}",
                        "{\"notes\":\"x\"}",
                        "{\"note\":1}",
                        "{\"note\":\"\"}",
                        "{\"labels\":{\"a b\":\"x\"}}",
                        "{\"labels\":{\"a\":1}}",
                        "{\"labels\":[]}")) {
            assertRefused(400, "invalid_parameter", patch(id, null, wrong));
        }
        String gone = id(of(Shelf.PENDING).get(0));
        assertRefused(404, "snapshot_deleted", patch(gone, null, "{\"note\":\"x\"}"));
    }

    private List<Shelved> of(Shelf shelf) {
        return crowd.stream().filter(each -> each.shelf() == shelf).toList();
    }

    private String id(Shelved each) {
        return each.id().toString();
    }

    private long bytes(List<String> ids) {
        return crowd.stream().filter(each -> ids.contains(id(each))).mapToLong(Shelved::size).sum();
    }

    private long saved() {
        return of(Shelf.LIVE).size() + of(Shelf.EXPIRED).size();
    }

    private long count(String state) throws SQLException {
        try (var statement = database.createStatement();
                var rows =
                        statement.executeQuery(
                                "select count(*) from snapshot where state = '"
                                        + state
                                        + "' and project_id = '"
                                        + project
                                        + "'")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static String outcome(JsonPath answer, String id) {
        String item = "items.find { it.id == '" + id + "' }.";
        return answer.getString(item + "outcome") + " " + answer.getString(item + "reason");
    }

    /** Of deletions, in the audit. */
    private List<String> told() throws SQLException {
        List<String> told = new ArrayList<>();
        try (var statement = database.createStatement();
                var rows =
                        statement.executeQuery(
                                "select subject_id, outcome, reason from audit_entry where action ="
                                        + " 'snapshot.delete' and project_id = '"
                                        + project
                                        + "'")) {
            while (rows.next()) {
                told.add(rows.getString(1) + " " + rows.getString(2) + " " + rows.getString(3));
            }
        }
        return told;
    }

    private void occupy(Shelved each) throws SQLException {
        sql(
                "insert into sandbox (id, project_id, template_id, template_digest, worker_id,"
                        + " state, secured, cpus, memory_mib, disk_mib, lifetime_seconds,"
                        + " created_at, created_by, started_at, end_at, image_id, snapshot_id)"
                        + " values ('"
                        + each.occupant()
                        + "', '"
                        + project
                        + "', 'base', 'none', 'worker-1', 'PAUSED', true, 1, 512, 1024, 86400,"
                        + " now(), 'system', now(), now() + interval '1 day', gen_random_uuid(), '"
                        + each.id()
                        + "')");
    }

    private void move(Shelved each, String creator) throws SQLException {
        sql("update snapshot set created_by = '" + creator + "' where id = '" + each.id() + "'");
    }

    private void sql(String statement) throws SQLException {
        try (var each = database.createStatement()) {
            each.executeUpdate(statement);
        }
    }

    private List<String> labelled(String... pairs) {
        var call = given().header("X-API-Key", key);
        for (int i = 0; i < pairs.length; i += 2) {
            call.queryParam(pairs[i], pairs[i + 1]);
        }
        return expect(200, call.get(address())).getList("snapshots.id", String.class);
    }

    private Response patch(String id, String tag, String body) {
        var call = given().header("X-API-Key", key).contentType("application/json").body(body);
        if (tag != null) {
            call.header("If-Match", tag);
        }
        return call.patch(address() + "/" + id);
    }

    private Response delete(Object body) {
        return given().header("X-API-Key", key)
                .contentType("application/json")
                .body(json(body))
                .post(address() + "/delete");
    }

    private String address() {
        return SharedServer.api() + "/api/v1/projects/" + project + "/snapshots";
    }
}
