package dev.holdfast.job;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * A project of its own with any number of snapshots that nobody captured: rows as captures leave
 * them, counted in its usage, without objects.
 */
public final class Snapshots implements AutoCloseable {

    public static final long BYTES = 1000;

    private final String url;
    private final Connection connection;
    private final String project = UUID.randomUUID().toString();

    public Snapshots(String databaseUrl) throws SQLException {
        url = databaseUrl;
        connection = DriverManager.getConnection(url);
        sql(
                "insert into project (id, name, slug, plan_bytes, plan_snapshots,"
                        + " plan_live_sandboxes, plan_lifetime_seconds, created_at) values ('"
                        + project
                        + "', 'Jobs', null, 1000000000000, 1000000, 100, 86400, now())");
    }

    public String project() {
        return project;
    }

    /**
     * Saves so many at once.
     *
     * @param expires when, as SQL
     */
    public void save(int count, String expires) throws SQLException {
        sql(
                "insert into snapshot (id, upload_id, project_id, kind, state, phase,"
                        + " source_sandbox_id, template_id, template_digest, worker_id, cpus,"
                        + " memory_mib, disk_mib, secured, metadata, environment, parts_state,"
                        + " logical_bytes, stored_bytes, created_at, created_by, deadline_at,"
                        + " saved_at, expires_at, parts_checked_at) select gen_random_uuid(), gen_random_uuid(), '"
                        + project
                        + "', 'SNAPSHOT', 'SAVED', 'DONE', 'i00000000000000000000',"
                        + " (select id from template order by id limit 1), 'none', 'worker-1', 1,"
                        + " 128, 128, true, '{}', '{}', 'COMPLETE', 1000, "
                        + BYTES
                        + ", now() - interval '2 days', 'system', now(), now() - interval '2 days',"
                        + expires
                        + ", now() from generate_series(1, "
                        + count
                        + ")",
                "insert into project_usage (project_id, stored_bytes, stored_count) values ('"
                        + project
                        + "', "
                        + count * BYTES
                        + ", "
                        + count
                        + ") on conflict (project_id) do update set stored_bytes ="
                        + " project_usage.stored_bytes + excluded.stored_bytes, stored_count ="
                        + " project_usage.stored_count + excluded.stored_count");
    }

    public void sql(String... statements) throws SQLException {
        try (var statement = connection.createStatement()) {
            for (var each : statements) {
                statement.executeUpdate(each);
            }
        }
    }

    /** Holds what a query locks until {@link #release}. */
    public void hold(String query) throws SQLException {
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.executeQuery(query);
        }
    }

    public void release() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    public String value(String query) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    /** What is asked or done while something is held. */
    public String besides(String query) throws SQLException {
        try (var other = DriverManager.getConnection(url);
                var statement = other.createStatement();
                var rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    public long count(String condition) throws SQLException {
        return Long.parseLong(
                value(
                        "select count(*) from snapshot where project_id = '"
                                + project
                                + "' and "
                                + condition));
    }

    /** In their order in the database. */
    public List<String> ids() throws SQLException {
        return List.of(
                value(
                                "select string_agg(id::text, ' ' order by id) from snapshot"
                                        + " where project_id = '"
                                        + project
                                        + "'")
                        .split(" "));
    }

    public long tombstones() throws SQLException {
        return Long.parseLong(
                value("select count(*) from tombstone where project_id = '" + project + "'"));
    }

    /** Count and bytes, as the quota has them. */
    public String usage() throws SQLException {
        return value(
                "select stored_count || ' ' || stored_bytes from project_usage where project_id = '"
                        + project
                        + "'");
    }

    /** Takes all of it away again. */
    @Override
    public void close() throws SQLException {
        try (connection) {
            release();
            for (var table :
                    new String[] {
                        "snapshot", "tombstone", "usage_day", "project_usage", "audit_entry"
                    }) {
                sql("delete from " + table + " where project_id = '" + project + "'");
            }
        }
    }
}
