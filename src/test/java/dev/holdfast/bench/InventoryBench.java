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
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Measures the list of a project with very many snapshots beside the bare SQL of the same pages:
 * {@code mvn -Pbench -Dholdfast.bench=dev.holdfast.bench.InventoryBench}. Both in turn, so that
 * whatever else this machine does falls on both sides; the jobs are at rest, for rows that came out
 * of nowhere would give them work that no server has at once. {@code holdfast.rows} says how many
 * there are, a million if nothing is said; {@code holdfast.lists} which lists, by a pattern for
 * their names. Before it counts the server is asked until its code is compiled, as that of a server
 * that has run for a while: our own start lets the second compiler in late.
 *
 * <p>Every search, filter and order, both ways, the first page and one far behind: page 10,000, or
 * the last one of a list that ends before it. Then the first page by number, with its total.
 *
 * <p>The bare side is one connection that looks up the key and the project, runs the statement of
 * the page and that of the verdicts, and reads every column. That these statements are good ones
 * shows the plan of each, made with the planner's own choices: one that reads the table from end to
 * end ends the run with a failure.
 */
public final class InventoryBench {

    private static final int LEAST = 20;

    /** A short page is asked for more often: one pause of the machine is not to be its p95. */
    private static final int MANY = 10;

    private static final Duration A_WHILE = Duration.ofMillis(1_200);
    private static final int WARM_UP = Integer.getInteger("holdfast.warm", 5_000);
    private static final String COMPILER =
            "-XX:Tier4InvocationThreshold=5000 -XX:Tier4MinInvocationThreshold=600"
                    + " -XX:Tier4CompileThreshold=15000 ";
    private static final int PAGE = 100;
    private static final long FAR = 9_999L * PAGE;
    private static final double MOST = 2;
    private static final double HOPED_MILLIS = 50;
    private static final String RUN =
            "select labels ->> 'run' from snapshot where labels ? 'run' and state = 'SAVED' limit"
                    + " 1";
    private static final Slug SLUG = new Slug("default");
    private static final Set<String> UNIQUE =
            Set.of("snapshot_pkey", "snapshot_upload_id_key", "snapshot_name");

    /** A list that is asked for. */
    private record Shape(String name, Selection selection, Map<String, String> query) {}

    /** What was measured of one page. */
    private record Measured(String shape, String page, Sample api, Sample sql) {

        double ratio() {
            return api.millis(0.95) / sql.millis(0.95);
        }

        String line() {
            return "%-34s %-20s %8.1f %8.1f %8.1f %8.1f %6.2f%n"
                    .formatted(
                            shape,
                            page,
                            api.millis(0.5),
                            api.millis(0.95),
                            sql.millis(0.5),
                            sql.millis(0.95),
                            ratio());
        }
    }

    private final LocalServer server;
    private final Connection database;
    private final ProjectId project;
    private final String key;
    private final int times;
    private final List<Measured> measured = new ArrayList<>();

    private InventoryBench(LocalServer server, int times) throws SQLException, IOException {
        this.server = server;
        this.times = times;
        key = server.apiKey();
        database = DriverManager.getConnection(server.databaseUrl());
        project =
                new ProjectId(
                        UUID.fromString(one("select id from project where slug = 'default'")));
    }

    public static void main(String... arguments) throws Exception {
        var settings = new HashMap<>(Bench.atRest());
        settings.put("HOLDFAST_JAVA_OPTIONS", COMPILER + System.getProperty("holdfast.java", ""));
        var server = LocalServer.of(Bench.options(settings, arguments));
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
    private void fill(int rows) throws SQLException, IOException {
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
        sql(BenchRows.statements(project.value(), rows));
        for (String definition : definitions) {
            sql(definition);
        }
        sql("vacuum analyze snapshot");
        sql("analyze");
        System.out.printf(
                "%d rows in %d s, table and indexes %s%n",
                rows,
                Duration.ofNanos(System.nanoTime() - begin).toSeconds(),
                one("select pg_size_pretty(pg_total_relation_size('snapshot'))"));
    }

    private List<Shape> shapes() throws SQLException {
        String id =
                one(
                        "select id from snapshot where state = 'SAVED' and list_expiry > now()"
                                + " offset 1234 limit 1");
        String upload = one("select upload_id from snapshot offset 4321 limit 1");
        String name = one("select short_name from snapshot where name_held offset 777 limit 1");
        String source =
                one(
                        "select source_sandbox_id from snapshot group by 1"
                                + " order by count(*) desc limit 1");
        String many =
                one("select created_by from snapshot group by 1 order by count(*) desc limit 1");
        String few = one("select created_by from snapshot group by 1 order by count(*) limit 1");
        List<Shape> shapes = new ArrayList<>();
        for (Status status : Status.values()) {
            shapes.add(shape("status " + status.word(), "status", status.word()));
        }
        shapes.add(shape("search: a whole ID", "search", id));
        shapes.add(shape("search: 8 of an ID", "search", id.substring(0, 8)));
        shapes.add(shape("search: 5 of an upload ID", "search", upload.substring(9, 14)));
        shapes.add(shape("search: 3 of any ID (abc)", "search", "abc"));
        shapes.add(shape("search: over a hyphen (d-7)", "search", "d-7"));
        shapes.add(shape("search: a whole name", "search", name));
        shapes.add(shape("search: many names (nightly)", "search", "nightly"));
        shapes.add(shape("search: most names (:default)", "search", ":default"));
        shapes.add(shape("search: a team and a name", "search", SLUG + "/build"));
        shapes.add(shape("search: nothing (-_-)", "search", "-_-"));
        shapes.add(shape("search: nothing (qqqq)", "search", "qqqq"));
        shapes.add(shape("search in all: few", "search", "abcde", "status", "all"));
        shapes.add(shape("source of most", "sourceSandboxId", source));
        shapes.add(shape("template of half", "templateId", "code-interpreter-v1"));
        shapes.add(shape("template of few", "templateId", "bench-8"));
        shapes.add(shape("template of none", "templateId", "none"));
        shapes.add(shape("creator of most", "createdBy", many));
        shapes.add(shape("creator of fewest", "createdBy", few));
        shapes.add(shape("restorable", "restorable", "true"));
        shapes.add(shape("not restorable", "restorable", "false"));
        for (String verdict : List.of("incompatible_runtime", "missing_part", "restore_failed")) {
            shapes.add(shape("verdict " + verdict, "verdict", verdict));
        }
        shapes.add(shape("label of one", "label", "run=" + one(RUN)));
        shapes.add(shape("label of some (team)", "label", "team=team-10"));
        shapes.add(shape("label of many (env)", "label", "env=dev"));
        shapes.add(shape("tag of many", "tag", "default"));
        shapes.add(shape("within an hour and a bit", "expiringWithin", "4000"));
        shapes.add(shape("within three days", "expiringWithin", "259200"));
        shapes.add(
                shape(
                        "a search and two filters",
                        "search",
                        "nightly",
                        "createdBy",
                        many,
                        "label",
                        "env=prod"));
        return shapes;
    }

    private List<Shape> asked() throws SQLException {
        var only = Pattern.compile(System.getProperty("holdfast.lists", ""));
        return shapes().stream().filter(each -> only.matcher(each.name()).find()).toList();
    }

    private static Shape shape(String name, String... words) {
        Map<String, String> query = new LinkedHashMap<>();
        for (int i = 0; i < words.length; i += 2) {
            query.put(words[i], words[i + 1]);
        }
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
                                : Optional.ofNullable(query.get("verdict"))
                                        .flatMap(Restorability::of)
                                        .map(Set::of)
                                        .orElse(Set.of()),
                        Optional.empty(),
                        Optional.ofNullable(query.get("tag")),
                        label == null ? Map.of() : Map.of(label.split("=")[0], label.split("=")[1]),
                        Optional.ofNullable(query.get("expiringWithin"))
                                .map(text -> Duration.ofSeconds(Long.parseLong(text))),
                        Optional.empty(),
                        false);
        return new Shape(name, selection, query);
    }

    private void run() throws Exception {
        System.out.printf(
                "%n%d times each at least, milliseconds; %d rows a page%n%-34s %-20s %8s %8s %8s %8s %6s%n",
                times, PAGE, "", "", "API p50", "API p95", "SQL p50", "SQL p95", "ratio");
        try (var bare = new BareList(server.databaseUrl())) {
            warmUp(bare);
            for (Shape shape : asked()) {
                long count = bare.count(listing(shape, Order.NEWEST_FIRST));
                System.out.printf("%s: %d%n", shape.name(), count);
                for (Order order : orders().toList()) {
                    Listing first = listing(shape, order);
                    measure(bare, shape, first, "first");
                    if (count > 2 * PAGE) {
                        long before = Math.min(FAR, count - PAGE) - 1;
                        measure(
                                bare,
                                shape,
                                first.after(Optional.of(bare.place(first, before))),
                                "far");
                    }
                }
                measureTotal(bare, shape, count);
            }
        }
        report();
    }

    /** Both sides alike: our half of the bare side is a program that has to be compiled as well. */
    private void warmUp(BareList bare) throws Exception {
        Shape most = shape("status saved", "status", Status.SAVED.word());
        Listing first = listing(most, Order.NEWEST_FIRST);
        for (int i = 0; i < WARM_UP; i++) {
            ask(address(most, first, Map.of()));
            page(bare, first);
        }
    }

    private static Stream<Order> orders() {
        return Stream.of(Sort.values())
                .flatMap(sort -> Stream.of(new Order(sort, true), new Order(sort, false)));
    }

    private Listing listing(Shape shape, Order order) {
        return Listing.first(project, Optional.of(SLUG), shape.selection(), order, PAGE);
    }

    private void measure(BareList bare, Shape shape, Listing listing, String which)
            throws Exception {
        requireIndexes(shape, bare.plan(listing, false));
        measure(
                new Measured(
                        shape.name(),
                        listing.order().sort().word()
                                + (listing.order().downwards() ? " desc " : " asc ")
                                + which,
                        new Sample("API"),
                        new Sample("SQL")),
                address(shape, listing, Map.of()),
                () -> page(bare, listing));
    }

    private void page(BareList bare, Listing listing) throws SQLException {
        bare.caller(key, project);
        bare.page(listing);
    }

    /** Of a common thing the first so many are soon found by reading on from the beginning. */
    private void measureTotal(BareList bare, Shape shape, long count) throws Exception {
        Listing listing = listing(shape, Order.NEWEST_FIRST);
        if (count < 4 * Listing.COUNTED) {
            requireIndexes(shape, bare.planOfSums(listing, false));
        }
        measure(
                new Measured(shape.name(), "with total", new Sample("API"), new Sample("SQL")),
                address(shape, listing, Map.of("page", "1")),
                () -> {
                    page(bare, listing);
                    bare.sums(listing);
                });
    }

    /** What is done past the server. */
    private interface Bare {
        void run() throws SQLException;
    }

    private void measure(Measured each, URI address, Bare bare) throws Exception {
        long end = System.nanoTime() + A_WHILE.toNanos();
        for (int i = 0; i <= times || i <= MANY * times && System.nanoTime() < end; i++) {
            long begin = System.nanoTime();
            ask(address);
            long middle = System.nanoTime();
            bare.run();
            if (i > 0) {
                each.api().add(middle - begin);
                each.sql().add(System.nanoTime() - middle);
            }
        }
        measured.add(each);
        System.out.print(each.line());
    }

    /** Other tables are small, and a scan of them is right. */
    private static void requireIndexes(Shape shape, String plan) {
        if (plan.contains("Seq Scan on snapshot")) {
            throw new IllegalStateException(shape.name() + " reads the whole table\n" + plan);
        }
        plan.lines()
                .filter(line -> line.contains("Scan"))
                .filter(line -> line.contains(" on snapshot"))
                .map(line -> "    " + line.strip().replaceAll("  \\(cost.*", ""))
                .distinct()
                .forEach(System.out::println);
    }

    private void report() {
        System.out.printf("%nof each list the page with the highest ratio%n");
        measured.stream().map(Measured::shape).distinct().forEach(this::worst);
        print("beyond " + MOST + " times the SQL", each -> each.ratio() > MOST);
        print(
                "beyond " + HOPED_MILLIS + " ms at the API",
                each -> each.api().millis(0.95) > HOPED_MILLIS);
    }

    private void worst(String shape) {
        measured.stream()
                .filter(each -> each.shape().equals(shape))
                .max((a, b) -> Double.compare(a.ratio(), b.ratio()))
                .map(Measured::line)
                .ifPresent(System.out::print);
    }

    private void print(String what, Predicate<Measured> which) {
        List<Measured> those = measured.stream().filter(which).toList();
        System.out.printf("%n%s: %d of %d%n", what, those.size(), measured.size());
        those.stream().map(Measured::line).forEach(System.out::print);
    }

    private URI address(Shape shape, Listing listing, Map<String, String> more) {
        var query = new LinkedHashMap<>(shape.query());
        query.put("sort", listing.order().sort().word());
        query.put("direction", listing.order().downwards() ? "desc" : "asc");
        query.put("limit", Integer.toString(PAGE));
        query.putAll(more);
        listing.from()
                .ifPresent(
                        place ->
                                query.put(
                                        "after",
                                        place.token(
                                                project, listing.selection(), listing.order())));
        var text = new StringBuilder();
        query.forEach(
                (name, value) ->
                        text.append(text.isEmpty() ? "?" : "&")
                                .append(name)
                                .append('=')
                                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return URI.create(server.api() + "/api/v1/projects/" + project + "/snapshots" + text);
    }

    /** Waits in the thread that asks, as the driver of the bare side does. */
    private void ask(URI address) throws IOException {
        var connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setRequestProperty("X-API-Key", key);
        int status = connection.getResponseCode();
        if (status != 200) {
            throw new IllegalStateException(address + ": " + status);
        }
        try (var body = connection.getInputStream()) {
            body.readAllBytes();
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
