package dev.holdfast.inventory;

import static dev.holdfast.api.NativeClient.assertRefused;
import static dev.holdfast.api.NativeClient.expect;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Slug;
import dev.holdfast.bench.BenchRows;
import dev.holdfast.e2b.OtherProject;
import dev.holdfast.run.SharedServer;
import dev.holdfast.sandbox.SandboxId;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every list beside a plain model of it, over a crowd of rows in a project of its own. */
class ListingIT {

    private static final long SEED = 20_301;
    private static final int ROWS = 400;
    private static final int PLANNED = 8_000;
    private static final String SLUG = "list-it";

    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MICROS);
    private static final List<Shelved> CROWD = Shelved.crowd(SEED, ROWS, NOW);

    private static String key;
    private static UUID project;
    private static Connection database;

    @BeforeAll
    static void fillsAProject() throws Exception {
        key =
                OtherProject.key(
                        SharedServer.api(),
                        SharedServer.apiKey(),
                        SharedServer.get().databaseUrl());
        JsonPath team = call(Map.of()).get(SharedServer.api() + "/teams").jsonPath();
        project = UUID.fromString(team.getString("[0].teamID"));
        database = DriverManager.getConnection(SharedServer.get().databaseUrl());
        sql("update project set slug = '" + SLUG + "' where id = '" + project + "'");
        Shelved.write(database, project, CROWD);
        sql("analyze snapshot");
    }

    @AfterAll
    static void emptiesIt() throws Exception {
        for (var statement : Shelved.removal(project)) {
            sql(statement);
        }
        database.close();
    }

    static Stream<Order> orders() {
        return Stream.of(Sort.values())
                .flatMap(sort -> Stream.of(new Order(sort, false), new Order(sort, true)));
    }

    @ParameterizedTest
    @MethodSource("orders")
    @Tag("R20")
    @Tag("R21")
    @Tag("R24")
    @Tag("R27")
    @Tag("R29")
    void isWholeAndInOrderPageAfterPage(Order order) {
        List<String> expected =
                CROWD.stream()
                        .filter(each -> each.shelf() == Shelf.LIVE)
                        .sorted(Shelved.by(order))
                        .map(each -> each.id().toString())
                        .toList();
        Map<String, Object> query = query(order);
        List<String> seen = new ArrayList<>();
        JsonPath page = list(query);
        assertThat(page.getString("previous")).isNull();
        seen.addAll(ids(page));
        while (page.getString("next") != null) {
            page = list(with(query, "after", page.getString("next")));
            seen.addAll(ids(page));
        }
        assertThat(seen).isEqualTo(expected);

        // And back again.
        List<String> back = new ArrayList<>(reversed(ids(page)));
        while (page.getString("previous") != null) {
            page = list(with(query, "before", page.getString("previous")));
            back.addAll(reversed(ids(page)));
        }
        assertThat(back).isEqualTo(reversed(expected));

        JsonPath third = list(with(query, "page", 3));
        assertThat(ids(third)).isEqualTo(expected.subList(200, 300));
        assertThat(third.getLong("total")).isEqualTo(expected.size());
        assertThat(third.getBoolean("totalIsExact")).isTrue();
        assertThat(ids(list(with(query, "after", third.getString("next")))))
                .isEqualTo(expected.subList(300, Math.min(400, expected.size())));
    }

    @Test
    @Tag("R14")
    @Tag("R15")
    @Tag("R16")
    @Tag("R17")
    @Tag("R18")
    @Tag("R19")
    @Tag("R28")
    @Tag("R61")
    @Tag("R137")
    @Tag("F4")
    void showsExactlyWhatPassesItsFilters() {
        var random = new Random(SEED);
        int found = 0;
        for (int i = 0; i < 60; i++) {
            Map<String, Object> query = new LinkedHashMap<>();
            Predicate<Shelved> wanted = each -> true;
            Status status = Status.values()[random.nextInt(Status.values().length)];
            query.put("status", status.word());
            wanted =
                    wanted.and(each -> status == Status.ALL || each.status().equals(status.word()));
            Shelved other = CROWD.get(random.nextInt(ROWS));
            for (int filters = random.nextInt(3); filters >= 0; filters--) {
                wanted = wanted.and(filter(random, other, query));
            }
            Order order = orders().skip(random.nextInt(8)).findFirst().orElseThrow();
            query.putAll(query(order));
            List<String> expected =
                    CROWD.stream()
                            .filter(wanted)
                            .sorted(Shelved.by(order))
                            .map(each -> each.id() + " " + each.status())
                            .toList();
            JsonPath page = list(with(query, "page", 1));
            assertThat(shown(page))
                    .as(query.toString())
                    .isEqualTo(expected.subList(0, Math.min(100, expected.size())));
            assertThat(page.getLong("total")).as(query.toString()).isEqualTo(expected.size());
            found += expected.isEmpty() ? 0 : 1;
        }
        assertThat(found).as("selections that found something").isGreaterThan(25);
    }

    private static Predicate<Shelved> filter(
            Random random, Shelved other, Map<String, Object> query) {
        switch (random.nextInt(9)) {
            case 0 -> {
                query.put("sourceSandboxId", other.source());
                return each -> each.source().equals(other.source());
            }
            case 1 -> {
                query.put("templateId", other.template());
                return each -> each.template().equals(other.template());
            }
            case 2 -> {
                query.put("createdBy", other.creator());
                return each -> each.creator().equals(other.creator());
            }
            case 3 -> {
                if (query.containsKey("restorable")) {
                    return each -> true;
                }
                query.put("verdict", other.verdict().word());
                return each -> each.verdict() == other.verdict();
            }
            case 4 -> {
                if (query.containsKey("verdict") || query.containsKey("restorable")) {
                    return each -> true;
                }
                boolean yes = random.nextBoolean();
                query.put("restorable", yes);
                return each -> Restorability.YES.contains(each.verdict()) == yes;
            }
            case 5 -> {
                if (query.containsKey("expiringWithin")) {
                    return each -> true;
                }
                // Expiries are whole minutes from the start. This asks for half a minute between
                // two of them, as long as the test is no slower than that.
                Instant until = NOW.plusSeconds(86_400 + 60L * random.nextInt(200) + 30);
                query.put("expiringWithin", Duration.between(Instant.now(), until).toSeconds());
                return each -> each.shelf() == Shelf.LIVE && each.expires().isBefore(until);
            }
            case 6 -> {
                if (other.name() == null) {
                    return each -> true;
                }
                query.put("name", other.name());
                return each ->
                        other.name().equals(each.name())
                                && (each.held() || each.shelf() != Shelf.LIVE);
            }
            default -> {
                if (query.containsKey("search")) {
                    return each -> true;
                }
                int length = 3 + random.nextInt(random.nextBoolean() ? 2 : 30);
                String text = other.text().replace(" ", "");
                int at = random.nextInt(text.length() - length);
                String part = text.substring(at, at + length);
                query.put("search", random.nextBoolean() ? part : part.toUpperCase());
                return each -> each.text().contains(part);
            }
        }
    }

    @Test
    @Tag("R14")
    @Tag("R119")
    void findsANameAsItIsWrittenAndNothingByTheTeamAlone() {
        Shelved named =
                CROWD.stream()
                        .filter(each -> each.shelf() == Shelf.LIVE && each.name() != null)
                        .findFirst()
                        .orElseThrow();
        for (String text :
                List.of(
                        SLUG + "/" + named.fullName(),
                        "t-it/" + named.fullName().toUpperCase(),
                        "/" + named.fullName(),
                        " " + named.fullName())) {
            JsonPath page = list(Map.of("search", text));
            assertThat(ids(page)).as(text).contains(named.id().toString());
            assertThat(page.getList("snapshots.names.flatten()", String.class))
                    .as(text)
                    .allMatch(name -> name.contains("/" + named.fullName()));
        }
        assertThat(ids(list(Map.of("search", SLUG)))).isEmpty();
        assertThat(ids(list(Map.of("search", "other/" + named.name())))).isEmpty();
        for (String nothing : List.of("100%", "a\\b", "' or", "a_%", "äöü", "---")) {
            assertThat(ids(list(Map.of("search", nothing)))).as(nothing).isEmpty();
        }
    }

    @Test
    @Tag("R27")
    void standsStillForWhatIsInsertedAndServesItsOwnListOnly() throws Exception {
        Map<String, Object> query = query(Order.NEWEST_FIRST);
        JsonPath first = list(query);
        List<Shelved> late =
                Shelved.crowd(7, 20, NOW).stream()
                        .filter(each -> each.shelf() == Shelf.LIVE && each.name() == null)
                        .toList();
        List<String> second = ids(list(with(query, "after", first.getString("next"))));
        Shelved.write(database, project, late);
        try {
            for (Shelved each : late) {
                sql("update snapshot set created_at = now() where id = '" + each.id() + "'");
            }
            assertThat(ids(list(query))).contains(late.get(0).id().toString());
            assertThat(ids(list(with(query, "after", first.getString("next"))))).isEqualTo(second);
        } finally {
            for (Shelved each : late) {
                sql("delete from snapshot where id = '" + each.id() + "'");
            }
        }
        String next = first.getString("next");
        for (Map<String, Object> other :
                List.<Map<String, Object>>of(
                        Map.of("after", next, "status", "all"),
                        Map.of("after", next, "sort", "size"),
                        Map.of("after", next, "direction", "asc"),
                        Map.of("after", next, "search", "abc"),
                        Map.of("after", next + "x"),
                        Map.of("after", "x"),
                        Map.of("after", next, "before", next),
                        Map.of("after", next, "page", 2))) {
            assertRefused(400, "invalid_parameter", ask(other));
        }
    }

    @Test
    @Tag("R14")
    @Tag("R61")
    void refusesWhatItDoesNotKnowAndSaysWhatItTakes() {
        for (Map<String, Object> wrong :
                List.<Map<String, Object>>of(
                        Map.of("search", "ab"),
                        Map.of("search", "x".repeat(401)),
                        Map.of("status", "Saved"),
                        Map.of("sort", "age"),
                        Map.of("direction", "up"),
                        Map.of("limit", 0),
                        Map.of("limit", 101),
                        Map.of("page", 0),
                        Map.of("page", 101),
                        Map.of("verdict", "maybe"),
                        Map.of("restorable", "yes"),
                        Map.of("restorable", true, "verdict", "restorable"),
                        Map.of("expiringWithin", 0),
                        Map.of("label", "team"),
                        Map.of("sandboxId", "i1"))) {
            Response refused = ask(wrong);
            assertRefused(400, "invalid_parameter", refused);
            assertThat(refused.jsonPath().getString("parameter")).isIn(wrong.keySet());
        }
        assertRefused(400, "malformed_name", ask(Map.of("name", "a b")));
        assertThat(ids(list(Map.of("search", "", "status", "", "limit", 1)))).hasSize(1);
    }

    @Test
    @Tag("R30")
    @Tag("R31")
    @Tag("R32")
    @Tag("R51")
    @Tag("R66")
    @Tag("F6")
    void tellsOfEachAllThatIsKnown() throws Exception {
        Shelved pending =
                CROWD.stream()
                        .filter(each -> each.shelf() == Shelf.PENDING && each.name() != null)
                        .findFirst()
                        .orElseThrow();
        sql(
                "update snapshot set cleanup_attempts = 3, cleanup_error = 'the store is away',"
                        + " failure = 'the disk was full', failure_reason = 'CAPTURE_FAILED',"
                        + " removal_reason = 'FAILED' where id = '"
                        + pending.id()
                        + "'");
        JsonPath row = list(Map.of("status", "awaitingCleanup", "search", pending.id()));
        assertThat(row.getInt("snapshots[0].cleanup.attempts")).isEqualTo(3);
        assertThat(row.getString("snapshots[0].cleanup.lastError")).isEqualTo("the store is away");
        assertThat(row.getString("snapshots[0].cleanup.nextAttemptAt")).isNotNull();
        assertThat(row.getString("snapshots[0].failure.reason")).isEqualTo("capture_failed");
        assertThat(row.getString("snapshots[0].failure.message")).isEqualTo("the disk was full");
        assertThat(row.getString("snapshots[0].removalReason")).isEqualTo("failed");
        assertThat(row.getList("snapshots[0].names")).isEmpty();
        assertThat(row.getString("snapshots[0].formerName"))
                .isEqualTo(SLUG + "/" + pending.fullName());

        Shelved expired =
                CROWD.stream()
                        .filter(each -> each.shelf() == Shelf.EXPIRED)
                        .findFirst()
                        .orElseThrow();
        JsonPath over = list(Map.of("status", "awaitingCleanup", "search", expired.id()));
        assertThat(over.getString("snapshots[0].removalReason")).isEqualTo("expired");
        assertThat(Instant.parse(over.getString("snapshots[0].removedAt")))
                .isEqualTo(expired.expires());
        assertThat(over.getList("snapshots[0].occupants", String.class))
                .containsExactly(expired.occupant());

        Shelved live =
                CROWD.stream()
                        .filter(each -> each.shelf() == Shelf.LIVE && each.able())
                        .findFirst()
                        .orElseThrow();
        JsonPath saved = list(Map.of("search", live.upload()));
        assertThat(saved.getLong("snapshots[0].storedBytes")).isEqualTo(live.size());
        assertThat(saved.getLong("snapshots[0].logicalBytes")).isEqualTo(live.size() * 2);
        assertThat(Instant.parse(saved.getString("snapshots[0].createdAt")))
                .isEqualTo(live.created());
        assertThat(Instant.parse(saved.getString("snapshots[0].expiresAt")))
                .isEqualTo(live.expires());
        assertThat(saved.getString("snapshots[0].contents")).isEqualTo("memory");
        assertThat(saved.getString("snapshots[0].createdBy")).isEqualTo(live.creator());
        assertThat(saved.getString("snapshots[0].sourceSandboxId")).isEqualTo(live.source());
        assertThat(saved.getString("snapshots[0].fingerprint.runtimeBuild")).isEqualTo("none");
    }

    /**
     * A table of this connection alone hides the real one, with the same indexes and enough rows
     * that the planner, left to itself, has reason to use them.
     */
    @Test
    @Tag("F4")
    void readsNoListByReadingTheWholeTable() throws Exception {
        var own = DriverManager.getConnection(SharedServer.get().databaseUrl());
        try (var bare = new BareList(own)) {
            try (var statement = own.createStatement()) {
                statement.execute("create temp table snapshot (like snapshot including all)");
                statement.execute(BenchRows.statements(project, PLANNED));
                statement.execute("analyze snapshot");
            }
            for (Order order : orders().toList()) {
                for (Selection selection : planned(own)) {
                    Listing listing =
                            Listing.first(
                                    new ProjectId(project),
                                    Optional.of(new Slug(SLUG)),
                                    selection,
                                    order,
                                    100);
                    assertThat(bare.plan(listing, false))
                            .as(order + " " + selection)
                            .contains(" on snapshot")
                            .doesNotContain("Seq Scan on snapshot");
                }
            }
            own.rollback();
        }
    }

    /** Of what is rare: whoever reads along an order to find it has to read all. */
    private static List<Selection> planned(Connection own) throws SQLException {
        List<Selection> selections = new ArrayList<>();
        for (Status status : Status.values()) {
            selections.add(Selection.of(status));
        }
        selections.add(
                saved(Optional.of(rarest(own, "source_sandbox_id")), Optional.empty(), null));
        selections.add(saved(Optional.empty(), Optional.of(rarest(own, "created_by")), null));
        selections.add(saved(Optional.empty(), Optional.empty(), rarest(own, "short_name")));
        return selections;
    }

    private static Selection saved(Optional<String> source, Optional<String> creator, String part) {
        return new Selection(
                Status.SAVED,
                Optional.ofNullable(part).map(Search::new),
                Set.of(),
                source.map(SandboxId::new),
                Optional.empty(),
                creator,
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    private static String rarest(Connection own, String column) throws SQLException {
        try (var statement = own.createStatement();
                var rows =
                        statement.executeQuery(
                                "select "
                                        + column
                                        + " from snapshot where state = 'SAVED' and "
                                        + column
                                        + " is not null group by 1 order by count(*), 1 limit 1")) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static Map<String, Object> query(Order order) {
        Map<String, Object> query = new LinkedHashMap<>();
        query.put("sort", order.sort().word());
        query.put("direction", order.downwards() ? "desc" : "asc");
        return query;
    }

    private static Map<String, Object> with(
            Map<String, Object> query, String parameter, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(query);
        more.put(parameter, value);
        return more;
    }

    private static List<String> reversed(List<String> list) {
        List<String> copy = new ArrayList<>(list);
        Collections.reverse(copy);
        return copy;
    }

    private static List<String> ids(JsonPath page) {
        return page.getList("snapshots.id", String.class);
    }

    private static List<String> shown(JsonPath page) {
        List<String> ids = ids(page);
        List<String> status = page.getList("snapshots.status", String.class);
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            shown.add(ids.get(i) + " " + status.get(i));
        }
        return shown;
    }

    private static JsonPath list(Map<String, ?> query) {
        return expect(200, ask(query));
    }

    private static Response ask(Map<String, ?> query) {
        return call(query).get(SharedServer.api() + "/api/v1/projects/" + project + "/snapshots");
    }

    private static RequestSpecification call(Map<String, ?> query) {
        return given().header("X-API-Key", key).queryParams(query);
    }

    private static void sql(String statement) throws SQLException {
        try (var each = database.createStatement()) {
            each.executeUpdate(statement);
        }
    }
}
