package dev.holdfast.job;

import static dev.holdfast.Eventually.await;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The decision whether a job is started, held: none of its executions begins, and none is left. */
public final class HeldStarts implements AutoCloseable {

    private final Connection connection;
    private final Job job;

    /** Returns when what was under way has ended. */
    public HeldStarts(String databaseUrl, Job job) throws Exception {
        this.job = job;
        connection = DriverManager.getConnection(databaseUrl);
        try {
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute("select pg_advisory_xact_lock(hashtext('job:" + job.id() + "'))");
            }
            await("no execution of " + job + " is under way", () -> underWay() == 0);
        } catch (Exception | AssertionError e) {
            close();
            throw e;
        }
    }

    /** How many executions were ordered and have not ended. */
    public long underWay() throws SQLException {
        try (var statement = connection.createStatement();
                var row =
                        statement.executeQuery(
                                "select count(*) from job_execution e join job_instance i"
                                        + " on i.jobinstanceid = e.jobinstanceid where i.jobname = '"
                                        + job.id()
                                        + "' and e.batchstatus in"
                                        + " ('STARTING', 'STARTED', 'STOPPING')")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close(); // and with it what it holds
    }
}
