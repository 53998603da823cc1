package dev.holdfast.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import dev.holdfast.e2b.OtherProject;
import dev.holdfast.run.SharedServer;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a project is charged for. */
class ChargeIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Read in one statement, so that the two belong to one moment. */
    private record Charge(long used, long count, boolean rowThere) {}

    @Test
    @Tag("R52")
    @Tag("R53")
    @Tag("R57")
    @Tag("R67")
    @Tag("R166")
    void aSnapshotIsChargedFromItsSavingUntilItsObjectsAreGone() throws Exception {
        // A project of its own, where nothing else comes or goes.
        var key =
                OtherProject.key(
                        SharedServer.api(),
                        SharedServer.apiKey(),
                        SharedServer.get().databaseUrl());
        var client = new E2bClient(SharedServer.api(), key);
        var sandbox = client.create("base", Duration.ofMinutes(5));
        var snapshot = client.snapshot(sandbox);
        client.kill(sandbox.id());

        var charged = charge(snapshot.id());
        assertThat(charged.used()).isPositive().isEqualTo(storedBytes(snapshot.id()));
        assertThat(charged.count()).isEqualTo(1);

        assertThat(client.deleteSnapshot(snapshot.id())).isTrue();
        var end = Instant.now().plus(PATIENCE);
        var now = charge(snapshot.id());
        while (now.rowThere() && Instant.now().isBefore(end)) {
            assertThat(now).isEqualTo(charged);
            Thread.sleep(50);
            now = charge(snapshot.id());
        }
        assertThat(now).isEqualTo(new Charge(0, 0, false));
    }

    private static long storedBytes(String snapshot) throws SQLException {
        try (var connection = DriverManager.getConnection(SharedServer.get().databaseUrl());
                var statement =
                        connection.prepareStatement(
                                "select stored_bytes from snapshot where id = ?::uuid")) {
            statement.setString(1, snapshot);
            try (var row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private Charge charge(String snapshot) throws SQLException {
        try (var connection = DriverManager.getConnection(SharedServer.get().databaseUrl());
                var statement =
                        connection.prepareStatement(
                                "select u.stored_bytes, u.stored_count, exists (select 1 from"
                                        + " snapshot s where s.id = ?::uuid) from project_usage u"
                                        + " where u.project_id in (select project_id from snapshot"
                                        + " where id = ?::uuid union select project_id from"
                                        + " tombstone where snapshot_id = ?::uuid)")) {
            for (int i = 1; i <= 3; i++) {
                statement.setString(i, snapshot);
            }
            try (var row = statement.executeQuery()) {
                row.next();
                return new Charge(row.getLong(1), row.getLong(2), row.getBoolean(3));
            }
        }
    }
}
