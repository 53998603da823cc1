package dev.holdfast.inventory;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * A snapshot as a plain value, and a seeded crowd of them: what the lists are compared with.
 *
 * @param held whether it holds its name
 * @param able whether a worker has what it needs
 */
record Shelved(
        UUID id,
        UUID upload,
        Shelf shelf,
        Instant created,
        long size,
        Instant expires,
        String name,
        String tag,
        boolean held,
        String source,
        String template,
        String creator,
        String parts,
        boolean doubted,
        boolean able) {

    private static final String[] NAMES = {"build", "build-7", "nightly_run", "zz-top", "a_zq"};
    private static final String[] TAGS = {"default", "v1", "v1.2", "zq"};

    static List<Shelved> crowd(long seed, int rows, Instant now) {
        var random = new Random(seed);
        List<Shelved> crowd = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            crowd.add(one(random, i, now));
        }
        return crowd;
    }

    private static Shelved one(Random random, int number, Instant now) {
        int lot = random.nextInt(100);
        Shelf shelf =
                lot < 84
                        ? Shelf.LIVE
                        : lot < 88
                                ? Shelf.EXPIRED
                                : lot < 92
                                        ? Shelf.UPLOADING
                                        : lot < 94 ? Shelf.TRASHED : Shelf.PENDING;
        boolean stored =
                shelf != Shelf.UPLOADING && (shelf != Shelf.PENDING || random.nextBoolean());
        // Few keys, so that many rows have the same one.
        Instant created = now.minusSeconds(60L * random.nextInt(300));
        Instant expires =
                !stored
                        ? null
                        : shelf == Shelf.EXPIRED
                                ? now.minusSeconds(1 + random.nextInt(50))
                                : now.plusSeconds(86_400 + 60L * random.nextInt(200));
        boolean named = random.nextInt(3) == 0;
        String name = named ? NAMES[random.nextInt(NAMES.length)] + number : null;
        return new Shelved(
                new UUID(random.nextLong(), random.nextLong()),
                new UUID(random.nextLong(), random.nextLong()),
                shelf,
                created,
                stored ? random.nextInt(40) * 1_000_000L : 0,
                expires,
                name,
                named ? TAGS[random.nextInt(TAGS.length)] : null,
                named && (shelf == Shelf.LIVE || shelf == Shelf.UPLOADING),
                "iinventory" + (char) ('a' + random.nextInt(20)) + "0000000000",
                random.nextBoolean() ? "base" : "code-interpreter-v1",
                "person:" + random.nextInt(5),
                !stored ? "PENDING" : random.nextInt(20) == 0 ? "MISSING" : "COMPLETE",
                random.nextInt(25) == 0,
                random.nextInt(15) != 0);
    }

    /** What the search looks through. */
    String text() {
        return id + " " + upload + (name == null ? "" : " " + fullName());
    }

    String fullName() {
        return name == null ? "~" : name + ":" + tag;
    }

    Restorability verdict() {
        return switch (shelf) {
            case LIVE ->
                    parts.equals("MISSING")
                            ? Restorability.MISSING_PART
                            : !able
                                    ? Restorability.INCOMPATIBLE_RUNTIME
                                    : doubted
                                            ? Restorability.RESTORE_FAILED
                                            : Restorability.RESTORABLE;
            case EXPIRED -> Restorability.EXPIRED;
            default -> Restorability.NOT_SAVED;
        };
    }

    static Comparator<Shelved> by(Order order) {
        Comparator<Shelved> key =
                switch (order.sort()) {
                    case CREATED -> Comparator.comparing(Shelved::created);
                    case SIZE -> Comparator.comparing(Shelved::size);
                    case EXPIRY ->
                            Comparator.comparing(
                                    each -> each.expires == null ? Instant.MAX : each.expires);
                    case NAME -> Comparator.comparing(Shelved::fullName);
                };
        Comparator<Shelved> both = key.thenComparing(each -> each.id.toString());
        return order.downwards() ? both.reversed() : both;
    }

    /** Writes them past the server; what has expired is kept from the job by a paused sandbox. */
    static void write(Connection connection, UUID project, List<Shelved> crowd)
            throws SQLException {
        connection.setAutoCommit(false);
        try (var statement =
                connection.prepareStatement(
                        "insert into snapshot (id, upload_id, project_id, kind, state, phase,"
                                + " short_name, tag, name_held, source_sandbox_id, template_id,"
                                + " template_digest, worker_id, runtime_id, platform, architecture,"
                                + " cpu_features, agent_protocol, state_format, cpus, memory_mib,"
                                + " disk_mib, secured, metadata, environment, parts_state,"
                                + " logical_bytes, stored_bytes, created_at, created_by,"
                                + " deadline_at, saved_at, expires_at, removal_reason, removed_at,"
                                + " cleanup_after, restore_failure, restore_failed_at)"
                                + " select ?, ?, ?, 'SNAPSHOT', ?, 'DONE', ?, ?, ?, ?, ?, 'none',"
                                + " w.id, 'none', w.platform, coalesce(?, w.architecture),"
                                + " w.cpu_features, 1, 1, 1, 512, 1024, true, '{}', '{}', ?, ?, ?,"
                                + " ?, ?, now() + interval '1 day', ?, ?, ?, ?,"
                                + " now() + interval '1 day', ?, ? from worker w"
                                + " where w.id = 'worker-1'")) {
            for (Shelved each : crowd) {
                each.fill(statement, project);
                statement.addBatch();
            }
            statement.executeBatch();
        }
        try (var statement =
                connection.prepareStatement(
                        "insert into sandbox (id, project_id, template_id, template_digest,"
                                + " worker_id, state, secured, cpus, memory_mib, disk_mib,"
                                + " lifetime_seconds, created_at, created_by, started_at, end_at,"
                                + " image_id) values (?, ?, 'base', 'none', 'worker-1', 'PAUSED',"
                                + " true, 1, 512, 1024, 86400, now(), 'system', now(),"
                                + " now() + interval '1 day', ?)")) {
            for (Shelved each : crowd) {
                if (each.shelf == Shelf.EXPIRED) {
                    statement.setString(1, each.occupant());
                    statement.setObject(2, project);
                    statement.setObject(3, each.id);
                    statement.addBatch();
                }
            }
            statement.executeBatch();
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    String occupant() {
        return "i" + id.toString().replace("-", "").substring(0, 20);
    }

    private void fill(PreparedStatement statement, UUID project) throws SQLException {
        boolean removed = shelf == Shelf.PENDING || shelf == Shelf.TRASHED;
        Object[] values = {
            id,
            upload,
            project,
            switch (shelf) {
                case LIVE, EXPIRED, SAVED -> "SAVED";
                case PENDING -> "CLEANUP_PENDING";
                default -> shelf.name();
            },
            name,
            tag,
            held,
            source,
            template,
            able ? null : "another",
            parts,
            expires == null ? null : size * 2,
            expires == null ? null : size,
            created.atOffset(ZoneOffset.UTC),
            creator,
            expires == null ? null : created.atOffset(ZoneOffset.UTC),
            expires == null ? null : expires.atOffset(ZoneOffset.UTC),
            removed ? "DELETED" : null,
            removed ? created.atOffset(ZoneOffset.UTC) : null,
            doubted ? "it broke" : null,
            doubted ? created.atOffset(ZoneOffset.UTC) : null
        };
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    /** What the database is told of them when they are no longer needed. */
    static List<String> removal(UUID project) {
        return List.of(
                "delete from sandbox where project_id = '" + project + "'",
                "delete from snapshot where project_id = '" + project + "'");
    }

    String status() {
        return switch (shelf) {
            case LIVE -> "saved";
            case UPLOADING -> "uploads";
            case TRASHED -> "trashed";
            case EXPIRED, PENDING -> "awaitingCleanup";
            case SAVED -> throw new IllegalStateException("none is on two shelves");
        };
    }
}
