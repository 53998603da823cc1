package dev.holdfast.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The control groups of this instance's machines: {@code /holdfast-<instance>/<machine>} in every
 * hierarchy. runsc makes and fills them; they hold every host process of a machine, which makes
 * them the one sure way to kill all of it.
 */
final class Cgroups {
    private static final List<String> NEEDED = List.of("memory", "cpu", "pids");
    private static final int ATTEMPTS = 200;
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Path root;
    private final String parent;
    private final boolean unified;

    Cgroups(Path root, String instance) {
        this.root = root;
        this.parent = "holdfast-" + instance;
        this.unified = Files.exists(root.resolve("cgroup.controllers"));
    }

    String path(MachineId id) {
        return "/" + parent + "/" + id;
    }

    List<String> missing() {
        var missing = new ArrayList<String>();
        String offered = unified ? text(root.resolve("cgroup.controllers")).orElse("") : "";
        for (String controller : NEEDED) {
            boolean there =
                    unified
                            ? List.of(offered.split("\\s+")).contains(controller)
                            : Files.exists(root.resolve(controller).resolve("cgroup.procs"));
            if (!there) {
                missing.add("cgroup controller " + controller + " under " + root);
            }
        }
        return missing;
    }

    /**
     * With one hierarchy a parent must hand its controllers down before children can have limits.
     */
    void prepare() {
        if (!unified) {
            return;
        }
        try {
            Files.createDirectories(root.resolve(parent));
            for (Path from : List.of(root, root.resolve(parent))) {
                Files.writeString(from.resolve("cgroup.subtree_control"), "+memory +cpu +pids");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot hand down cgroup controllers", e);
        }
    }

    boolean limitsSwap() {
        return unified || Files.exists(root.resolve("memory/memory.memsw.limit_in_bytes"));
    }

    /** Kills by the kernel for want of memory; any one leaves the machine useless. */
    long memoryKills(MachineId id) {
        return unified
                ? counter(file(id, "memory", "memory.events"), "oom_kill")
                : counter(file(id, "memory", "memory.oom_control"), "oom_kill");
    }

    long refusedTasks(MachineId id) {
        return counter(file(id, "pids", "pids.events"), "max");
    }

    long tasks(MachineId id) {
        return number(file(id, "pids", "pids.current"));
    }

    Duration cpu(MachineId id) {
        return unified
                ? Duration.ofNanos(1000 * counter(file(id, "cpu", "cpu.stat"), "usage_usec"))
                : Duration.ofNanos(number(file(id, "cpuacct", "cpuacct.usage")));
    }

    long memory(MachineId id) {
        String current = unified ? "memory.current" : "memory.usage_in_bytes";
        String droppable = unified ? "inactive_file" : "total_inactive_file";
        return Math.max(
                0,
                number(file(id, "memory", current))
                        - counter(file(id, "memory", "memory.stat"), droppable));
    }

    /** Returns when none of the machine's processes is left; nothing to do if there is no group. */
    void kill(MachineId id) {
        for (int i = 0; i < ATTEMPTS; i++) {
            List<Long> processes = processes(id);
            if (processes.isEmpty()) {
                return;
            }
            processes.forEach(
                    pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            sleep();
        }
        throw new MachineFailure(
                MachineFailure.Reason.FAILED, "Processes of " + id + " do not die");
    }

    /** Removes the machine's groups, with whatever groups a half-done start left in them. */
    void remove(MachineId id) {
        for (Path hierarchy : hierarchies()) {
            Path group = hierarchy.resolve(parent).resolve(id.value());
            for (int i = 0; Files.exists(group); i++) {
                try {
                    Files.delete(group);
                } catch (IOException busy) {
                    if (i == ATTEMPTS) {
                        throw new UncheckedIOException(busy);
                    }
                    sleep();
                }
            }
        }
    }

    void removeParent() {
        for (Path hierarchy : hierarchies()) {
            try {
                Files.deleteIfExists(hierarchy.resolve(parent));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Machines that have a group, whoever made it. */
    List<MachineId> children() {
        var children = new ArrayList<MachineId>();
        for (Path hierarchy : hierarchies()) {
            for (Path group : directories(hierarchy.resolve(parent))) {
                MachineId.of(group.getFileName().toString())
                        .filter(id -> !children.contains(id))
                        .ifPresent(children::add);
            }
        }
        return children;
    }

    private List<Long> processes(MachineId id) {
        return text(file(id, "pids", "cgroup.procs")).stream()
                .flatMap(String::lines)
                .map(Long::valueOf)
                .toList();
    }

    private Path file(MachineId id, String controller, String name) {
        Path hierarchy = unified ? root : root.resolve(controller);
        return hierarchy.resolve(parent).resolve(id.value()).resolve(name);
    }

    private List<Path> hierarchies() {
        if (unified) {
            return List.of(root);
        }
        return directories(root).stream()
                .filter(dir -> !Files.isSymbolicLink(dir))
                .filter(dir -> Files.exists(dir.resolve("cgroup.procs")))
                .toList();
    }

    private static List<Path> directories(Path parent) {
        if (!Files.isDirectory(parent)) {
            return List.of();
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent, Files::isDirectory)) {
            var found = new ArrayList<Path>();
            entries.forEach(found::add);
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long number(Path file) {
        return text(file).map(text -> Long.parseLong(text.strip())).orElse(0L);
    }

    private static long counter(Path file, String name) {
        return text(file).stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith(name + " "))
                .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1).strip()))
                .findFirst()
                .orElse(0);
    }

    /** Empty when the group is not there (yet, or any more). */
    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MachineFailure(MachineFailure.Reason.FAILED, "Interrupted", e);
        }
    }
}
