package dev.holdfast.run;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * A real PostgreSQL on this machine, kept in the home, reachable from this machine only, and from
 * the networks of addresses that it is given.
 */
final class LocalDatabase {
    private static final String BINARIES = "/postgres-linux-x86_64.txz";
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Home home;
    private final Path cache;
    private final Path data;
    private final int port;
    private final List<String> addresses;
    private Path programs;

    LocalDatabase(Home home, Path cache, int port) {
        this(home, cache, port, List.of());
    }

    /**
     * @param addresses where it listens besides; whoever is in their networks and has a password
     *     gets in
     */
    LocalDatabase(Home home, Path cache, int port, List<String> addresses) {
        this.home = home;
        this.cache = cache;
        this.data = home.path().resolve("database");
        this.port = port;
        this.addresses = List.copyOf(addresses);
    }

    String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    void start(String database, String user, String password) throws IOException {
        stopLeftover();
        var owner = home.secret("database-password", "");
        if (!Files.exists(data.resolve("PG_VERSION"))) {
            create();
        }
        // One argument, split again by pg_ctl's shell: no value here comes from outside but the
        // port and the addresses.
        var settings =
                "-p "
                        + port
                        + " -c listen_addresses=127.0.0.1"
                        + addresses.stream().map(","::concat).collect(Collectors.joining())
                        + " -c unix_socket_directories=''"
                        + " -c max_connections=200 -c max_prepared_transactions=100"
                        + " -c timezone=UTC -c log_timezone=UTC";
        var log = home.path().resolve("database.log");
        Files.deleteIfExists(log);
        try {
            call(
                    "pg_ctl",
                    "-D",
                    data.toString(),
                    "-l",
                    log.toString(),
                    "-o",
                    settings,
                    "-w",
                    "-t",
                    "60",
                    "start");
        } catch (IOException e) {
            var why = Files.exists(log) ? Files.readString(log) : "";
            throw new IOException("PostgreSQL does not start on port " + port + "\n" + why, e);
        }
        provide(owner, database, user, password);
    }

    /** Ends the server and its connections at once; what was committed or prepared stays. */
    void stop() throws IOException {
        if (programs != null && Recorded.process(pidFile(), data.toString()).isPresent()) {
            call("pg_ctl", "-D", data.toString(), "-m", "fast", "-w", "-t", "60", "stop");
        }
    }

    /** Ends a server that outlived its launcher, and forgets one that did not. */
    void stopLeftover() throws IOException {
        programs = unpacked();
        stop();
        Files.deleteIfExists(pidFile());
    }

    private Path pidFile() {
        return data.resolve("postmaster.pid");
    }

    /**
     * A data directory is made aside and moved, so that a killed first start leaves no half of one.
     */
    private void create() throws IOException {
        var draft = home.path().resolve("database.new");
        Home.delete(draft);
        Home.delete(data);
        call(
                "initdb",
                "-D",
                draft.toString(),
                "-U",
                "postgres",
                "-A",
                "scram-sha-256",
                "--pwfile=" + home.path().resolve("database-password"),
                "-E",
                "UTF8",
                "--locale=C.UTF-8");
        if (!addresses.isEmpty()) {
            Files.writeString(
                    draft.resolve("pg_hba.conf"),
                    "host all all samenet scram-sha-256\n",
                    StandardOpenOption.APPEND);
        }
        Files.move(draft, data, StandardCopyOption.ATOMIC_MOVE);
    }

    private void provide(String owner, String database, String user, String password)
            throws IOException {
        try (var connection = DriverManager.getConnection(url("postgres"), "postgres", owner);
                var statement = connection.createStatement()) {
            var role = statement.enquoteIdentifier(user, true);
            if (!exists(connection, "select 1 from pg_roles where rolname = ?", user)) {
                statement.execute("create role " + role + " login");
            }
            statement.execute(
                    "alter role " + role + " password " + statement.enquoteLiteral(password));
            if (!exists(connection, "select 1 from pg_database where datname = ?", database)) {
                statement.execute(
                        "create database "
                                + statement.enquoteIdentifier(database, true)
                                + " owner "
                                + role);
            }
        } catch (SQLException e) {
            throw new IOException("the database refuses its own owner", e);
        }
    }

    private static boolean exists(Connection connection, String query, String name)
            throws SQLException {
        try (var statement = connection.prepareStatement(query)) {
            statement.setString(1, name);
            try (var rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    /** PostgreSQL refuses to run as root; in a user namespace of its own it is nobody. */
    private void call(String program, String... arguments) throws IOException {
        var command = new ArrayList<String>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(programs.resolve("bin").resolve(program).toString());
        command.addAll(List.of(arguments));
        var said = Files.createTempFile(home.path(), program, ".out");
        try {
            var process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(said.toFile())
                            .start();
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(program + " hangs");
            }
            if (process.exitValue() != 0) {
                throw new IOException(program + " failed: " + Files.readString(said));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(program + " was interrupted", e);
        } finally {
            Files.deleteIfExists(said);
        }
    }

    /** Unpacked once per archive; the directory appears only when it is whole. */
    private Path unpacked() throws IOException {
        byte[] archive;
        try (var in = LocalDatabase.class.getResourceAsStream(BINARIES)) {
            if (in == null) {
                throw new IOException("no PostgreSQL for this machine: " + BINARIES);
            }
            archive = in.readAllBytes();
        }
        var target = cache.resolve("postgresql-" + digest(archive));
        if (Files.isDirectory(target)) {
            return target;
        }
        Files.createDirectories(cache);
        var draft = Files.createTempDirectory(cache, "postgresql-");
        unpack(
                new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive))),
                draft);
        try {
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            Home.delete(draft);
            if (!Files.isDirectory(target)) {
                throw e;
            }
        }
        return target;
    }

    private static String digest(byte[] archive) {
        try {
            var sum = MessageDigest.getInstance("SHA-256").digest(archive);
            return HexFormat.of().formatHex(sum).substring(0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private static void unpack(TarArchiveInputStream archive, Path target) throws IOException {
        for (var entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
            var path = target.resolve(entry.getName()).normalize();
            if (!path.startsWith(target)) {
                throw new IOException("archive leads outside: " + entry.getName());
            }
            if (entry.isDirectory()) {
                Files.createDirectories(path);
            } else if (entry.isSymbolicLink()) {
                Files.createDirectories(path.getParent());
                Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
            } else {
                Files.createDirectories(path.getParent());
                Files.copy(archive, path);
                if ((entry.getMode() & 0100) != 0) {
                    Set<PosixFilePermission> rights =
                            new HashSet<>(Files.getPosixFilePermissions(path));
                    rights.add(PosixFilePermission.OWNER_EXECUTE);
                    Files.setPosixFilePermissions(path, rights);
                }
            }
        }
    }
}
