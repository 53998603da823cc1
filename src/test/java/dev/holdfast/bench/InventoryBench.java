package dev.holdfast.bench;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Slug;
import dev.holdfast.inventory.BareList;
import dev.holdfast.inventory.Listing;
import dev.holdfast.inventory.Order;
import dev.holdfast.inventory.Restorability;
import dev.holdfast.inventory.Search;
import dev.holdfast.inventory.Selection;
import dev.holdfast.inventory.Sort;
import dev.holdfast.inventory.Status;
import dev.holdfast.run.LocalServer;
import dev.holdfast.sandbox.SandboxId;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Measures the list of a project with very many snapshots beside the bare SQL of the same pages:
 * {@code mvn -Pbench -Dholdfast.bench=dev.holdfast.bench.InventoryBench}. Both in turn, so that
 * whatever else this machine does falls on both sides. {@code holdfast.rows} says how many there
 * are, a million if nothing is said.
 *
 * <p>Shows how each is read, and fails if one is read by going through the whole table.
 */
public final class InventoryBench {

    private static final int LEAST = 20;
    private static final int PAGE = 100;
    private static final Slug SLUG = new Slug("default");
    private static final Set<String> UNIQUE =
            Set.of("snapshot_pkey", "snapshot_upload_id_key", "snapshot_name");

    private record Shape(String name, Selection selection, Map<String, String> query) {}

    private final HttpClient http = HttpClient.newHttpClient();
    private final LocalServer server;
    private final Connection database;
    private final ProjectId project;
    private final int times;

    private InventoryBench(LocalServer server, int times) throws Exception {
        this.server = server;
        this.times = times;
        database = DriverManager.getConnection(server.databaseUrl());
        project =
                new ProjectId(
                        UUID.fromString(one("select id from project where slug = 'default'")));
    }

    public static void main(String... arguments) throws Exception {
        var server = LocalServer.of(Bench.options(arguments));
        try {
            server.forget().start();
            var bench =
                    new InventoryBench(
                            server, Math.max(LEAST, Integer.getInteger("holdfast.repeat", LEAST)));
            bench.fill(Integer.getInteger("holdfast.rows", 1_000_000));
            bench.run();
        } finally {
            server.stop();
            server.erase();
        }
    }

    /** Indexes are made after the rows: one by one they would take many times as long. */
    private void fill(int rows) throws SQLException {
        List<String> definitions = new ArrayList<>();
        try (var statement = database.createStatement();
                var found =
                        statement.executeQuery(
                                "select indexname, indexdef from pg_indexes"
                                        + " where tablename = 'snapshot'")) {
            while (found.next()) {
                if (!UNIQUE.contains(found.getString(1))) {
                    definitions.add(found.getString(2));
                    sql("drop index " + found.getString(1));
                }
            }
        }
        long begin = System.nanoTime();
        sql("set synchronous_commit = off");
        sql("set maintenance_work_mem = '512MB'");
        sql(ROWS.replace(":project", "'" + project + "'").replace(":rows", Integer.toString(rows)));
        for (String definition : definitions) {
            sql(definition);
        }
        sql("vacuum analyze snapshot");
        System.out.printf(
                "%d rows in %d s, table and indexes %s%n",
                rows,
                Duration.ofNanos(System.nanoTime() - begin).toSeconds(),
                one("select pg_size_pretty(pg_total_relation_size('snapshot'))"));
    }

    /** Jobs leave them alone: nothing is stale, and what awaits its clean-up is not due. */
    private static final String ROWS =
            """
            insert into snapshot (id, upload_id, project_id, kind, state, phase, short_name, tag, name_held,
                source_sandbox_id, template_id, template_digest, worker_id, runtime_id, platform, architecture,
                cpu_features, agent_protocol, state_format, cpus, memory_mib, disk_mib, secured, metadata,
                environment, parts_state, logical_bytes, stored_bytes, created_at, created_by, deadline_at,
                saved_at, expires_at, removal_reason, removed_at, cleanup_after, labels)
            select gen_random_uuid(), gen_random_uuid(), :project, 'SNAPSHOT', r.state, 'DONE',
                case when r.named then 'build-' || n end,
                case when r.named then (array['default', 'v1', 'v2', 'nightly'])[1 + n % 4] end,
                r.named and r.state <> 'CLEANUP_PENDING', 'i' || lpad(to_hex(n % 20000), 20, '0'),
                (array['base', 'code-interpreter-v1'])[case when n % 1000 = 1 then 2 else 1 end],
                md5((n % 20)::text), w.id, md5('r'), w.platform,
                case when n % 1000 = 7 then 'another' else w.architecture end, w.cpu_features, 1, 1, 1, 512, 1024,
                true, '{}', '{}',
                case when r.state = 'UPLOADING' then 'PENDING' when n % 5000 = 11 then 'MISSING' else 'COMPLETE' end,
                400000000, case when r.state <> 'UPLOADING' then (random() * 400000000)::bigint end, m.created,
                'person:' || n % 10, now() + interval '1 day',
                case when r.state <> 'UPLOADING' then m.created end,
                case when r.state <> 'UPLOADING' then m.created + interval '8 days' end,
                case when r.state = 'CLEANUP_PENDING' then 'DELETED' end,
                case when r.state = 'CLEANUP_PENDING' then now() end,
                case when r.state = 'CLEANUP_PENDING' then now() + interval '10 days' end,
                case when n % 10 = 0 then jsonb_build_object('team', 'team-' || n % 50, 'run', n::text)
                    else '{}' end
            from generate_series(1, :rows) n
            cross join (select * from worker limit 1) w
            cross join lateral (select case when n % 10000 = 1 then 'UPLOADING'
                when n % 200 = 2 then 'CLEANUP_PENDING' else 'SAVED' end as state, n % 3 = 0 as named) r
            cross join lateral (select now() - (n::float8 / :rows) * interval '7 days'
                - random() * interval '1 hour' as created) m
            """;

    private List<Shape> shapes() throws SQLException {
        String id = one("select id from snapshot where state = 'SAVED' offset 1234 limit 1");
        String middle = one("select short_name from snapshot where name_held offset 777 limit 1");
        List<Shape> shapes = new ArrayList<>();
        for (Status status : Status.values()) {
            shapes.add(shape(status.word(), Map.of("status", status.word())));
        }
        for (String text :
                List.of(id, id.substring(0, 8), "abc", "d-7", "nightly", middle, "-_-")) {
            shapes.add(shape("search " + text, Map.of("search", text)));
        }
        shapes.add(shape("source", Map.of("sourceSandboxId", "i" + "0".repeat(17) + "abc")));
        shapes.add(shape("template, nearly all", Map.of("templateId", "base")));
        shapes.add(shape("template, few", Map.of("templateId", "code-interpreter-v1")));
        shapes.add(shape("creator", Map.of("createdBy", "person:3")));
        shapes.add(shape("restorable", Map.of("restorable", "true")));
        shapes.add(shape("not restorable", Map.of("restorable", "false")));
        shapes.add(shape("label, one", Map.of("label", "run=5000")));
        shapes.add(shape("label, many", Map.of("label", "team=team-10")));
        shapes.add(shape("within a day and a half", Map.of("expiringWithin", "129600")));
        return shapes;
    }

    private static Shape shape(String name, Map<String, String> query) {
        String label = query.get("label");
        var selection =
                new Selection(
                        Status.of(query.getOrDefault("status", "saved")).orElseThrow(),
                        Optional.ofNullable(query.get("search")).map(Search::new),
                        Set.of(),
                        Optional.ofNullable(query.get("sourceSandboxId")).map(SandboxId::new),
                        Optional.ofNullable(query.get("templateId")),
                        Optional.ofNullable(query.get("createdBy")),
                        query.containsKey("restorable")
                                ? query.get("restorable").equals("true")
                                        ? Restorability.YES
                                        : Restorability.NO
                                : Set.of(),
                        Optional.empty(),
                        Optional.empty(),
                        label == null ? Map.of() : Map.of(label.split("=")[0], label.split("=")[1]),
                        Optional.ofNullable(query.get("expiringWithin"))
                                .map(text -> Duration.ofSeconds(Long.parseLong(text))),
                        Optional.empty());
        return new Shape(name, selection, query);
    }

    private void run() throws Exception {
        var slow = new ArrayList<String>();
        System.out.printf(
                "%n%d times each, milliseconds; 100 rows a page%n%-26s %-8s %-8s %7s %7s %9s %9s"
                        + " %6s%n",
                times, "", "", "", "API p50", "API p95", "SQL p50", "SQL p95", "ratio");
        try (var bare = new BareList(server.databaseUrl())) {
            for (Shape shape : shapes()) {
                for (Sort sort : Sort.values()) {
                    var order = new Order(sort, sort.isDownwards());
                    Listing first =
                            Listing.first(
                                    project, Optional.of(SLUG), shape.selection(), order, PAGE);
                    measure(bare, shape, order, first, "first", slow);
                    far(order, first)
                            .ifPresent(
                                    deep -> {
                                        try {
                                            measure(bare, shape, order, deep, "deep", slow);
                                        } catch (Exception e) {
                                            throw new IllegalStateException(e);
                                        }
                                    });
                }
            }
        }
        System.out.println(
                slow.isEmpty() ? "\nall within twice the SQL" : "\nbeyond twice: " + slow);
    }

    /** As far as page 10,000 of 90 rows, in the list that has so many. */
    private Optional<Listing> far(Order order, Listing first) throws SQLException {
        if (!first.selection().equals(Selection.of(Status.SAVED))) {
            return Optional.empty();
        }
        String way = order.downwards() ? " desc" : "";
        String key =
                switch (order.sort()) {
                    case CREATED -> "created_at";
                    case SIZE -> "list_size";
                    case EXPIRY -> "list_expiry";
                    case NAME -> "list_name";
                };
        long rows = Long.parseLong(one("select count(*) from snapshot where state = 'SAVED'"));
        String id =
                one(
                        "select id from snapshot where state = 'SAVED' order by "
                                + key
                                + way
                                + ", id"
                                + way
                                + " offset "
                                + rows * 9 / 10
                                + " limit 1");
        try (var bare = new BareList(server.databaseUrl())) {
            return Optional.of(
                    first.after(Optional.of(bare.place(order.sort(), UUID.fromString(id)))));
        }
    }

    private void measure(
            BareList bare,
            Shape shape,
            Order order,
            Listing listing,
            String which,
            List<String> slow)
            throws Exception {
        var api = new Sample("API");
        var sql = new Sample("SQL");
        URI address = address(shape, order, listing);
        for (int i = 0; i <= times; i++) {
            long begin = System.nanoTime();
            ask(address);
            api.add(System.nanoTime() - begin);
            begin = System.nanoTime();
            bare.pageWithVerdicts(listing);
            sql.add(System.nanoTime() - begin);
            if (i == 0) {
                api.clear();
                sql.clear();
            }
        }
        String plan = bare.plan(listing, false);
        if (plan.contains("Seq Scan on snapshot")) {
            throw new IllegalStateException(shape.name() + " reads the whole table\n" + plan);
        }
        double ratio = api.millis(0.95) / sql.millis(0.95);
        if (ratio > 2) {
            slow.add(shape.name() + " by " + order.sort().word() + ", " + which);
        }
        System.out.printf(
                "%-26s %-8s %-8s %7.1f %7.1f %9.1f %9.1f %6.2f%n",
                shape.name(),
                order.sort().word(),
                which,
                api.millis(0.5),
                api.millis(0.95),
                sql.millis(0.5),
                sql.millis(0.95),
                ratio);
        plan.lines()
                .filter(line -> line.contains(" on snapshot"))
                .map(line -> "    " + line.strip().replaceAll("  \\(cost.*", ""))
                .forEach(System.out::println);
    }

    private URI address(Shape shape, Order order, Listing listing) {
        var query = new LinkedHashMap<>(shape.query());
        query.put("sort", order.sort().word());
        query.put("direction", order.downwards() ? "desc" : "asc");
        query.put("limit", Integer.toString(PAGE));
        listing.from()
                .ifPresent(
                        place ->
                                query.put(
                                        "after", place.token(project, listing.selection(), order)));
        var text = new StringBuilder();
        query.forEach(
                (name, value) ->
                        text.append(text.isEmpty() ? "?" : "&")
                                .append(name)
                                .append('=')
                                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return URI.create(server.api() + "/api/v1/projects/" + project + "/snapshots" + text);
    }

    private void ask(URI address) throws Exception {
        var answer =
                http.send(
                        HttpRequest.newBuilder(address)
                                .header("X-API-Key", server.apiKey())
                                .build(),
                        BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(address + ": " + answer.body());
        }
    }

    private void sql(String statement) throws SQLException {
        try (var each = database.createStatement()) {
            each.execute(statement);
        }
    }

    private String one(String query) throws SQLException {
        try (var statement = database.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
