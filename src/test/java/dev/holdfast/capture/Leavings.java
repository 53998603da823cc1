package dev.holdfast.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one installation has on this host, seen past the server: its rows, its objects, and what the
 * kernel holds in its name.
 */
public final class Leavings {

    private final Path home;
    private final String databaseUrl;
    private final String worker;
    private final Path objects;
    private final Pattern machine;
    private final Set<String> pardoned = new TreeSet<>();

    Leavings(Path home, String databaseUrl) {
        this(home, databaseUrl, "%", home.resolve("store"));
    }

    /**
     * @param worker whose sandboxes run in this home, as SQL's LIKE has it
     * @param objects the store's files by their keys
     */
    public Leavings(Path home, String databaseUrl, String worker, Path objects) {
        this.home = home;
        this.databaseUrl = databaseUrl;
        this.worker = worker;
        this.objects = objects;
        this.machine =
                Pattern.compile(
                        "^runsc-sandbox .*--root="
                                + Pattern.quote(home + "/")
                                + "\\S*/(r[a-z0-9]{20})/state");
    }

    /** The first column of a query. */
    public List<String> rows(String query) throws SQLException {
        try (var connection = DriverManager.getConnection(databaseUrl);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            var found = new ArrayList<String>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    /** Every machine belongs to a live row and every live row has its machine. */
    public void assertEveryMachineIsOwned() throws IOException, SQLException {
        var owned =
                new TreeSet<>(
                        rows(
                                "select machine_id from sandbox"
                                        + " where state in ('RUNNING', 'SNAPSHOTTING')"
                                        + " and worker_id like '"
                                        + worker
                                        + "'"));
        assertThat(machines()).as("machines that run, against rows that live").isEqualTo(owned);
        assertThat(cgroups()).as("cgroups").isSubsetOf(owned);
        assertThat(slots()).as("namespaces have a slot").containsAll(namespaceNumbers());
        assertThat(
                        rows(
                                "select id || ' ' || state from sandbox where state not in"
                                        + " ('RUNNING', 'SNAPSHOTTING', 'PAUSED', 'ENDED')"))
                .as("sandboxes between two states")
                .isEmpty();
    }

    /** Rows are removed after their objects, so an object without a row is nobody's. */
    public void assertEveryObjectIsOwned() throws IOException, SQLException {
        assertThat(new TreeSet<>(rows("select id::text from snapshot")))
                .as("snapshots of which the store holds objects have rows")
                .containsAll(without(pardoned, names(objects.resolve("snapshots"))));
    }

    /** So it is of the copies that this worker keeps, and of those it was making or removing. */
    void assertEveryImageIsOwned() throws IOException, SQLException {
        assertThat(without(pardoned, unowned(home.resolve("worker/images"))))
                .as("images that this worker keeps of snapshots without a row")
                .isEmpty();
    }

    /** What lies there without a row by now was left by others: tests that remove rows by SQL. */
    void pardonWhatIsThere() throws IOException, SQLException {
        pardoned.addAll(unowned(home.resolve("worker/images")));
        pardoned.addAll(unowned(objects.resolve("snapshots")));
    }

    private Set<String> unowned(Path directory) throws IOException, SQLException {
        var found = names(directory);
        return without(rows("select id::text from snapshot"), found);
    }

    private static Set<String> without(Collection<String> some, Set<String> all) {
        var rest = new TreeSet<>(all);
        rest.removeAll(some);
        return rest;
    }

    /** A capture that nobody works on any more must have been failed. */
    public void assertNoCaptureIsStalled() throws SQLException {
        assertThat(
                        rows(
                                "select id::text from snapshot"
                                        + " where state = 'UPLOADING' and deadline_at < now()"))
                .as("UPLOADING past the deadline")
                .isEmpty();
        assertThat(
                        rows(
                                "select owner::text from reservation r where not exists (select 1"
                                        + " from snapshot s where r.owner in (s.id, s.upload_id) and"
                                        + " s.state = 'UPLOADING')"))
                .as("reservations without a capture")
                .isEmpty();
    }

    /** After an orderly stop there is nothing at all. */
    public static void assertNothing(Path home, String instance) throws IOException {
        var gone = new Leavings(home, null);
        assertThat(gone.processes()).as("processes").isEmpty();
        assertThat(names(Path.of("/run/netns"), name -> name.startsWith("hf" + instance + "-")))
                .as("network namespaces")
                .isEmpty();
        assertThat(names(Path.of("/sys/class/net"), name -> name.startsWith("hf" + instance + "-")))
                .as("interfaces")
                .isEmpty();
        try (var hierarchies = Files.list(Path.of("/sys/fs/cgroup"))) {
            assertThat(
                            hierarchies
                                    .map(h -> h.resolve("holdfast-" + instance))
                                    .filter(Files::exists))
                    .as("cgroups")
                    .isEmpty();
        }
        try (var mounts = Files.lines(Path.of("/proc/self/mountinfo"))) {
            assertThat(
                            mounts.map(line -> line.split(" ")[4])
                                    .filter(at -> at.startsWith(home + "/")))
                    .as("mounts")
                    .isEmpty();
        }
    }

    public String instance() throws IOException {
        return Files.readString(home.resolve("instance")).strip();
    }

    /** Ends a machine's process as the kernel would for want of memory. */
    void killMachine(String id) {
        var process = processesOfMachines().get(id);
        assertThat(process).as("the process of machine " + id).isNotNull();
        process.destroyForcibly();
        process.onExit().join();
    }

    /** The machines whose sandbox kernel lives, by its command line: no record could be wrong. */
    public Set<String> machines() {
        return new TreeSet<>(processesOfMachines().keySet());
    }

    private Map<String, ProcessHandle> processesOfMachines() {
        var found = new TreeMap<String, ProcessHandle>();
        ProcessHandle.allProcesses()
                .forEach(
                        process -> {
                            var named = machine.matcher(commandLine(process.pid()));
                            if (named.find()) {
                                found.put(named.group(1), process);
                            }
                        });
        return found;
    }

    /** Numbers of the namespaces that wait for a machine, and of those that have one. */
    private Set<String> slots() throws IOException {
        var numbers = new TreeSet<>(names(home.resolve("worker/slots")));
        for (var id : names(home.resolve("worker/machines"))) {
            var slot = home.resolve("worker/machines").resolve(id).resolve("slot");
            if (Files.exists(slot)) {
                numbers.add(Files.readString(slot).strip());
            }
        }
        return numbers;
    }

    private Set<String> namespaceNumbers() throws IOException {
        var prefix = "hf" + instance() + "-";
        return names(Path.of("/run/netns"), name -> name.startsWith(prefix)).stream()
                .map(name -> name.substring(prefix.length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> cgroups() throws IOException {
        var found = new TreeSet<String>();
        for (var place : List.of("/sys/fs/cgroup", "/sys/fs/cgroup/memory")) {
            found.addAll(
                    names(
                            Path.of(place, "holdfast-" + instance()),
                            name -> name.matches("r[a-z0-9]{20}")));
        }
        return found;
    }

    /** Processes of this host that name the home in their command line. */
    List<String> processes() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .map(process -> commandLine(process.pid()))
                .filter(line -> line.contains(home + "/"))
                .toList();
    }

    private static String commandLine(long pid) {
        try {
            var line = Files.readAllBytes(Path.of("/proc/" + pid + "/cmdline"));
            return new String(line, StandardCharsets.UTF_8).replace('\0', ' ');
        } catch (IOException ended) {
            return "";
        }
    }

    private static Set<String> names(Path directory) throws IOException {
        return names(directory, name -> true);
    }

    private static Set<String> names(Path directory, Predicate<String> wanted) throws IOException {
        if (!Files.isDirectory(directory)) {
            return Set.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(wanted)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
