package dev.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The log's own statements on the real database, beside the server that uses them too. */
class EventLogIT {

    private static final int SUBJECTS = 12;
    private static final int WRITERS = 8;
    private static final int READERS = 3;
    private static final int TRANSACTIONS = 25 * Integer.getInteger("holdfast.repeat", 2);

    private record Seen(long position, String subject, int number) {}

    @BeforeAll
    static void makesSubjects() throws SQLException {
        try (var connection = connect()) {
            execute(connection, "drop table if exists event_race");
            execute(connection, "create table event_race (id int primary key, n int not null)");
            execute(
                    connection,
                    "insert into event_race select i, 0 from generate_series(1, 100) i");
        }
    }

    @AfterAll
    static void removesSubjects() throws SQLException {
        try (var connection = connect()) {
            execute(connection, "drop table event_race");
        }
    }

    @Test
    @Tag("F22")
    void readersMissNothingAndSeeNothingTwiceInWhateverOrderTransactionsCommit() throws Exception {
        var project = UUID.randomUUID();
        var over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS + READERS);
        try {
            List<Future<Map<String, Integer>>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                var random = new Random(i);
                writers.add(threads.submit(() -> write(project, random)));
            }
            List<Future<List<Seen>>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                Callable<List<Seen>> reader = () -> read(project, over);
                readers.add(threads.submit(reader));
            }
            Map<String, Integer> committed = new HashMap<>();
            for (var writer : writers) {
                writer.get().forEach((subject, n) -> committed.merge(subject, n, Integer::sum));
            }
            over.set(true);
            for (var reader : readers) {
                assertWhole(reader.get(), committed);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void assertWhole(List<Seen> seen, Map<String, Integer> committed) {
        Map<String, List<Integer>> numbers = new HashMap<>();
        seen.forEach(
                each ->
                        numbers.computeIfAbsent(each.subject(), s -> new ArrayList<>())
                                .add(each.number()));
        assertThat(seen).extracting(Seen::position).isSorted().doesNotHaveDuplicates();
        assertThat(numbers.keySet()).isEqualTo(committed.keySet());
        numbers.forEach(
                (subject, each) -> {
                    assertThat(each).as(subject).isSorted().doesNotHaveDuplicates();
                    assertThat(each).as(subject).hasSize(committed.get(subject)).startsWith(1);
                    assertThat(each.get(each.size() - 1)).isEqualTo(each.size());
                });
    }

    /** Many at once are written in their order with one statement. */
    @Test
    void aListKeepsItsOrderAndARolledBackOneLeavesNothing() throws Exception {
        var project = UUID.randomUUID();
        List<Notice> many = new ArrayList<>();
        for (int i = 1; i <= Pending.MOST + 500; i++) {
            many.add(notice(project, "one", i));
        }
        try (var connection = connect()) {
            connection.setAutoCommit(false);
            write(connection, many);
            connection.rollback();
            write(connection, many);
            connection.commit();
        }

        var seen = read(project, new AtomicBoolean(true));

        assertThat(seen).hasSize(many.size());
        for (int i = 0; i < seen.size(); i++) {
            assertThat(seen.get(i).number()).isEqualTo(i + 1);
        }
        assertThat(new HashSet<>(seen)).hasSameSizeAs(seen);
    }

    /** How many of each subject were committed. */
    private static Map<String, Integer> write(UUID project, Random random) throws Exception {
        Map<String, Integer> committed = new HashMap<>();
        try (var connection = connect()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < TRANSACTIONS; i++) {
                if (random.nextBoolean()) {
                    // Its transaction gets its number long before it comes to its subject.
                    execute(connection, "select pg_current_xact_id()");
                    Thread.sleep(random.nextInt(6));
                }
                List<Notice> notices = new ArrayList<>();
                List<String> touched = new ArrayList<>();
                for (int subject : some(random)) {
                    notices.add(notice(project, "subject-" + subject, next(connection, subject)));
                    if (random.nextInt(3) == 0) {
                        write(connection, notices);
                        notices.clear();
                        Thread.sleep(random.nextInt(3));
                    }
                    if (random.nextInt(40) == 0) {
                        Thread.sleep(30);
                    }
                    touched.add("subject-" + subject);
                }
                write(connection, notices);
                Thread.sleep(random.nextInt(4));
                if (random.nextInt(8) == 0) {
                    connection.rollback();
                } else {
                    connection.commit();
                    touched.forEach(each -> committed.merge(each, 1, Integer::sum));
                }
            }
        }
        return committed;
    }

    /** In ascending order, so that no two writers wait for each other. */
    private static TreeSet<Integer> some(Random random) {
        var some = new TreeSet<Integer>();
        int many = 1 + random.nextInt(3);
        while (some.size() < many) {
            some.add(1 + random.nextInt(SUBJECTS));
        }
        return some;
    }

    private static int next(Connection connection, int subject) throws SQLException {
        execute(connection, "select 1 from event_race where id = " + subject + " for update");
        try (var statement = connection.createStatement();
                var rows =
                        statement.executeQuery(
                                "update event_race set n = n + 1 where id = "
                                        + subject
                                        + " returning n")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static List<Seen> read(UUID project, AtomicBoolean over) throws Exception {
        List<Seen> seen = new ArrayList<>();
        try (var connection = connect()) {
            boolean last;
            int found;
            do {
                last = over.get();
                number(connection);
                found = page(connection, project, seen);
            } while (!last || found > 0);
        }
        return seen;
    }

    private static void number(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        execute(connection, Pending.LOCK);
        try (var statement = connection.prepareStatement(positional(Pending.NUMBER))) {
            statement.setInt(1, Pending.MOST);
            statement.executeQuery().close();
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private static int page(Connection connection, UUID project, List<Seen> seen)
            throws SQLException {
        long after = seen.isEmpty() ? 0 : seen.get(seen.size() - 1).position();
        int found = 0;
        try (var statement =
                connection.prepareStatement(
                        "select position, subject, details ->> 'n' from event where project_id = ?"
                                + " and position > ? order by position limit 50")) {
            statement.setObject(1, project);
            statement.setLong(2, after);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    seen.add(
                            new Seen(
                                    rows.getLong(1),
                                    rows.getString(2),
                                    Integer.parseInt(rows.getString(3))));
                    found++;
                }
            }
        }
        return found;
    }

    private static Notice notice(UUID project, String subject, int number) {
        return new Notice(
                EventType.QUOTA_WARNING,
                subject,
                Optional.of(project),
                Map.of("n", String.valueOf(number)));
    }

    private static void write(Connection connection, List<Notice> notices) throws SQLException {
        try (var statement = connection.prepareStatement(positional(Pending.WRITE))) {
            statement.setString(1, Pending.json(notices));
            statement.executeUpdate();
        }
    }

    private static String positional(String named) {
        return named.replaceAll(":[a-z]+", "?");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(SharedServer.get().databaseUrl());
    }
}
