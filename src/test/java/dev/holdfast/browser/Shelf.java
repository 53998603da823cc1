package dev.holdfast.browser;

import dev.holdfast.run.SharedServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/** Snapshots of a project that nobody captured: rows as captures and deletions leave them. */
final class Shelf implements AutoCloseable {

    private static final long MIB = 1 << 20;

    private static final String INSERT =
            "insert into snapshot (id, upload_id, project_id, kind, state, phase,"
                    + " short_name, tag, name_held, source_sandbox_id, template_id,"
                    + " template_digest, worker_id, runtime_id, platform, architecture,"
                    + " cpu_features, agent_protocol, state_format, cpus, memory_mib,"
                    + " disk_mib, secured, metadata, environment, parts_state,"
                    + " logical_bytes, stored_bytes, created_at, created_by,"
                    + " deadline_at, saved_at, expires_at, removal_reason, removed_at,"
                    + " cleanup_after, parts_checked_at) select ?, gen_random_uuid(),"
                    + " ?::uuid, 'SNAPSHOT', ?, 'DONE', ?, ?, ?,"
                    + " 'i3kq9v0x7c2m5n8p1r4t', 'base', 'none', w.id, w.runtime_id,"
                    + " w.platform, w.architecture, w.cpu_features, 1, 1, 2, 512, 5120,"
                    + " true, '{}', '{}', ?, ?, ?, at, 'system', now() + interval '1"
                    + " day', case when ? then at end, case when ? then at + interval"
                    + " '30 days' end, case when ? then 'DELETED' end, case when ? then"
                    + " now() end, now() + interval '1 day', now() from worker w, (select"
                    + " now() - ? * interval '1 hour' as at) each where w.id ="
                    + " 'worker-1'";

    private final String project;
    private final Connection database;

    Shelf(String project) throws SQLException {
        this.project = project;
        this.database = DriverManager.getConnection(SharedServer.get().databaseUrl());
    }

    /** Hours old, of so many MiB, called short:tag or nothing. */
    UUID saved(int hours, int mebibytes, String name) throws SQLException {
        return put("SAVED", hours, mebibytes, name);
    }

    /** One that expires after that long. */
    UUID expiring(String name, int mebibytes, Duration left) throws SQLException {
        UUID id = saved(1, mebibytes, name);
        sql("update snapshot set expires_at = now() + interval '" + left + "'", id);
        return id;
    }

    /** What was stored on each of the last days before today. */
    void used(int days) throws SQLException {
        sql(
                "insert into usage_day select cast('"
                        + project
                        + "' as uuid), cast(now() at time zone 'UTC' as date) - day, 86400000000.0"
                        + " * bytes, 0, bytes, 5 + day / 4 from (select day, cast((2 + sin(day /"
                        + " 7.0)) * 300000000 as bigint) as bytes from generate_series(1, "
                        + days
                        + ") day) each");
    }

    UUID uploading() throws SQLException {
        UUID id = put("UPLOADING", 0, 0, null);
        sql("update snapshot set phase = 'SEALING', bytes_done = 63, bytes_expected = 100", id);
        return id;
    }

    /** Deleted, and not to be cleaned up before a day is over. */
    UUID pending(int hours, int mebibytes, String name, String error) throws SQLException {
        UUID id = put("CLEANUP_PENDING", hours, mebibytes, name);
        if (error != null) {
            sql("update snapshot set cleanup_attempts = 3, cleanup_error = '" + error + "'", id);
        }
        return id;
    }

    /** Deleted, and to be brought back for a day. */
    UUID trashed(int hours, int mebibytes, String name) throws SQLException {
        return put("TRASHED", hours, mebibytes, name);
    }

    /** So many at once. */
    void crowd(int rows) throws SQLException {
        database.setAutoCommit(false);
        try (var statement = database.prepareStatement(INSERT)) {
            for (int i = 0; i < rows; i++) {
                fill(
                        statement,
                        "SAVED",
                        1 + i % 600,
                        1 + i % 997,
                        i % 10 == 0 ? "run-" + i + ":v1" : null);
                statement.addBatch();
            }
            statement.executeBatch();
            database.commit();
        } finally {
            database.setAutoCommit(true);
        }
        sql("analyze snapshot");
    }

    /** As if another runtime had saved it, on a machine that nobody here has. */
    void needs(UUID snapshot, String architecture) throws SQLException {
        sql("update snapshot set architecture = '" + architecture + "'", snapshot);
    }

    private UUID put(String state, int hours, int mebibytes, String name) throws SQLException {
        try (var statement = database.prepareStatement(INSERT)) {
            UUID id = fill(statement, state, hours, mebibytes, name);
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException("There is no worker-1");
            }
            return id;
        }
    }

    private UUID fill(
            PreparedStatement statement, String state, int hours, int mebibytes, String name)
            throws SQLException {
        UUID id = UUID.randomUUID();
        boolean stored = !state.equals("UPLOADING");
        boolean removed = state.equals("CLEANUP_PENDING") || state.equals("TRASHED");
        String[] parts = name == null ? new String[2] : name.split(":");
        Object[] values = {
            id,
            project,
            state,
            parts[0],
            parts[1],
            name != null && !removed,
            stored ? "COMPLETE" : "PENDING",
            stored ? mebibytes * MIB * 3 : null,
            stored ? mebibytes * MIB : 0L,
            stored,
            stored,
            removed,
            removed,
            hours
        };
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return id;
    }

    /** Charges what is there, and gives how much that is. */
    long charge() throws SQLException {
        sql(
                "insert into project_usage (project_id, stored_bytes, stored_count) select"
                        + " project_id, sum(bytes), count(*) from snapshot_charge where project_id"
                        + " = '"
                        + project
                        + "' group by project_id");
        try (var statement = database.createStatement();
                var row =
                        statement.executeQuery(
                                "select stored_bytes from project_usage where project_id = '"
                                        + project
                                        + "'")) {
            row.next();
            return row.getLong(1);
        }
    }

    private void sql(String update, UUID snapshot) throws SQLException {
        sql(update + " where id = '" + snapshot + "'");
    }

    private void sql(String text) throws SQLException {
        try (var statement = database.createStatement()) {
            statement.executeUpdate(text);
        }
    }

    /**
     * Takes the rows away again, and none that was really captured: it has objects in the store.
     */
    @Override
    public void close() throws SQLException {
        String own = " where project_id = '" + project + "'";
        try (database) {
            sql("delete from snapshot" + own + " and template_digest = 'none'");
            sql("delete from usage_day" + own);
            sql(
                    "delete from project_usage"
                            + own
                            + " and not exists (select 1 from snapshot"
                            + own
                            + ")");
        }
    }
}
