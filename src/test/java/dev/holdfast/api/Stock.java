package dev.holdfast.api;

import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Snapshots of a project of its own that nobody captured: rows as captures leave them. */
final class Stock implements AutoCloseable {

    static final long BYTES = 1000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final OwnProject project = OwnProject.make("stock");
    private final String key = project.everything();
    private final Connection database;

    Stock() throws SQLException {
        database = DriverManager.getConnection(SharedServer.get().databaseUrl());
        // As much as they all can free is charged, so that no clean-up frees more.
        sql(
                "insert into project_usage (project_id, stored_bytes, stored_count) values ('"
                        + project.id()
                        + "', 1000000000000, 1000000)");
    }

    /**
     * One of them.
     *
     * @param name short:tag, or null
     * @param labels as JSON
     */
    record Row(UUID id, Instant created, String name, String source, String labels) {}

    UUID save(Duration ago, String source) throws SQLException {
        Row row = new Row(UUID.randomUUID(), Instant.now().minus(ago), null, source, "{}");
        save(Set.of(row));
        return row.id();
    }

    void save(Collection<Row> rows) throws SQLException {
        try (PreparedStatement statement =
                database.prepareStatement(
                        "insert into snapshot (id, upload_id, project_id, kind, state, phase,"
                                + " short_name, tag, name_held, source_sandbox_id, template_id,"
                                + " template_digest, worker_id, cpus, memory_mib, disk_mib,"
                                + " secured, metadata, environment, parts_state, logical_bytes,"
                                + " stored_bytes, created_at, created_by, deadline_at, saved_at,"
                                + " expires_at, parts_checked_at, labels) values (?,"
                                + " gen_random_uuid(), ?::uuid, 'SNAPSHOT', 'SAVED', 'DONE', ?, ?,"
                                + " ?, ?, 'base', 'none', 'worker-1', 1, 128, 128, true, '{}',"
                                + " '{}', 'COMPLETE', 1000, 1000, ?, 'system', now(), ?,"
                                + " now() + interval '300 days', now(), ?::jsonb)")) {
            database.setAutoCommit(false);
            for (Row each : rows) {
                String[] name = each.name() == null ? null : each.name().split(":");
                Object[] values = {
                    each.id(),
                    project.id(),
                    name == null ? null : name[0],
                    name == null ? null : name[1],
                    name != null,
                    each.source(),
                    each.created().atOffset(ZoneOffset.UTC),
                    each.created().atOffset(ZoneOffset.UTC),
                    each.labels()
                };
                for (int i = 0; i < values.length; i++) {
                    statement.setObject(i + 1, values[i]);
                }
                statement.addBatch();
            }
            statement.executeBatch();
            database.commit();
            database.setAutoCommit(true);
        }
    }

    /** A paused sandbox that was made from it. */
    void occupy(UUID snapshot) throws SQLException {
        sql(
                "insert into sandbox (id, project_id, template_id, template_digest, worker_id,"
                        + " state, secured, cpus, memory_mib, disk_mib, lifetime_seconds,"
                        + " created_at, created_by, started_at, end_at, image_id, snapshot_id) values ('i"
                        + snapshot.toString().replace("-", "").substring(0, 20)
                        + "', '"
                        + project.id()
                        + "', 'base', 'none', 'worker-1', 'PAUSED', true, 1, 128, 128, 86400,"
                        + " now(), 'system', now(), now() + interval '1 day', gen_random_uuid(), '"
                        + snapshot
                        + "')");
    }

    void change(UUID snapshot, String set) throws SQLException {
        assertThat(sql("update snapshot set " + set + " where id = '" + snapshot + "'"))
                .isEqualTo(1);
    }

    int sql(String text) throws SQLException {
        try (var statement = database.createStatement()) {
            return statement.executeUpdate(text);
        }
    }

    String value(String query) throws SQLException {
        try (var statement = database.createStatement();
                var rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    /** The IDs of what is saved. */
    Set<String> saved() throws SQLException {
        Set<String> ids = new HashSet<>();
        try (var statement = database.createStatement();
                var rows =
                        statement.executeQuery(
                                "select id::text from snapshot where state = 'SAVED' and"
                                        + " project_id = '"
                                        + project.id()
                                        + "'")) {
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
        }
        return ids;
    }

    Response ask(String verb, String path, Object body) {
        return OwnProject.ask(key, verb, "/projects/" + project.id() + path, body);
    }

    String key() {
        return key;
    }

    /** Runs a job to its end, and gives what came of it. */
    static JsonPath run(String job, Map<String, ?> parameters) throws InterruptedException {
        String path = "/admin/jobs/" + job + "/executions";
        Map<String, Object> order = new HashMap<>();
        order.put("parameters", parameters);
        Response started = OwnProject.service("POST", path, order);
        // The timer may have begun one.
        for (int i = 0; started.statusCode() == 409 && i < 100; i++) {
            Thread.sleep(200);
            started = OwnProject.service("POST", path, order);
        }
        String id = expect(202, started).getString("id");
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            JsonPath now = expect(200, OwnProject.service("GET", path + "/" + id, null));
            if (!"started".equals(now.getString("status"))
                    && !"starting".equals(now.getString("status"))) {
                assertThat(now.getString("status")).as(now.prettify()).isEqualTo("completed");
                return now;
            }
            assertThat(System.nanoTime()).as("%s ends", job).isLessThan(end);
            Thread.sleep(100);
        }
    }

    /** Takes the rows away again. */
    @Override
    public void close() throws SQLException {
        try (database) {
            for (String table : new String[] {"sandbox", "snapshot", "retention_policy"}) {
                sql("delete from " + table + " where project_id = '" + project.id() + "'");
            }
        }
    }
}
