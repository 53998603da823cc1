package dev.holdfast.bench;

import groovy.json.JsonOutput;
import groovy.json.JsonSlurper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A sandbox that runsc alone runs, beside the product: the same build, flags, root, first process
 * and limits as one of the product's own machines, whose bundle it copies. Only its place, its
 * network namespaces and its cgroup are its own. It measures the bare command, from start to end.
 */
final class BareMachine implements AutoCloseable {

    private static final String SOURCE = "hfbench-source-0000";
    private static final String CLONE = "hfbench-clone-00000";

    private final Path place;
    private final Path runsc;
    private int images;

    private BareMachine(Path place, Path runsc) {
        this.place = place;
        this.runsc = runsc;
    }

    static BareMachine like(String machine, Path home, Path cache) throws Exception {
        var place = home.resolve("bench");
        var bare = new BareMachine(place, cache.resolve("runtime/current/runsc").toRealPath());
        bare.remove();
        try {
            var config = configOf(machine, home);
            for (var id : List.of(SOURCE, CLONE)) {
                bare.prepare(id, config);
            }
            bare.attached(SOURCE, "run", "-detach", "-bundle", bare.bundle(SOURCE));
            // As long as the product's machine has had to come to rest.
            Thread.sleep(3_000);
            return bare;
        } catch (Exception e) {
            bare.close();
            throw e;
        }
    }

    /** Its first process, once it has come up; to be closed before the next checkpoint. */
    BareAgent agent() throws Exception {
        return BareAgent.over(
                place.resolve(SOURCE).resolve("in"), place.resolve(SOURCE).resolve("out"));
    }

    /** Nanoseconds of a checkpoint into a fresh directory; the last one is what restore takes. */
    long checkpoint() throws Exception {
        if (images > 0) {
            delete(image());
        }
        images++;
        long begin = System.nanoTime();
        call(
                runsc.toString(),
                "-root",
                state(SOURCE),
                "checkpoint",
                "-leave-running",
                "-compression",
                "none",
                "-direct",
                "-image-path",
                image().toString(),
                SOURCE);
        return System.nanoTime() - begin;
    }

    /** Nanoseconds of a restore; what it restored is removed again, which does not count. */
    long restore() throws Exception {
        address(CLONE);
        long begin = System.nanoTime();
        attached(
                CLONE,
                "restore",
                "-detach",
                "-direct",
                "-image-path",
                image().toString(),
                "-bundle",
                bundle(CLONE));
        long elapsed = System.nanoTime() - begin;
        call(runsc.toString(), "-root", state(CLONE), "delete", "-force", CLONE);
        return elapsed;
    }

    @Override
    public void close() throws IOException {
        remove();
    }

    private void prepare(String id, Map<?, ?> config) throws Exception {
        var own = place.resolve(id);
        for (var part : List.of("bundle", "state", "disk")) {
            Files.createDirectories(own.resolve(part));
        }
        call("mkfifo", own.resolve("in").toString(), own.resolve("out").toString());
        // On a file system of its own like the product's, or the overlay would behave differently.
        var image = own.resolve("disk.img").toString();
        call("truncate", "-s", "10G", image);
        call("mkfs.ext4", "-q", "-O", "^has_journal", "-m", "0", image);
        call("mount", "-o", "loop,noatime", image, own.resolve("disk").toString());
        call("ip", "netns", "add", id);
        call("ip", "-n", id, "link", "set", "lo", "up");
        call("ip", "-n", id, "link", "add", "eth0", "type", "veth", "peer", "name", "other0");
        call("ip", "-n", id, "link", "set", "other0", "up");
        address(id);
        Files.writeString(own.resolve("bundle/config.json"), JsonOutput.toJson(placed(config, id)));
    }

    /** runsc takes the address away from the namespace at every start. */
    private static void address(String id) throws Exception {
        call("ip", "-n", id, "address", "replace", "10.255.255.2/30", "dev", "eth0");
        call("ip", "-n", id, "link", "set", "eth0", "up");
        call("ip", "-n", id, "route", "replace", "default", "via", "10.255.255.1");
    }

    @SuppressWarnings("unchecked")
    private static Map<?, ?> placed(Map<?, ?> config, String id) {
        var copy = (Map<String, Object>) new JsonSlurper().parseText(JsonOutput.toJson(config));
        var linux = (Map<String, Object>) copy.get("linux");
        linux.put("cgroupsPath", "/hfbench/" + id);
        for (var namespace : (List<Map<String, Object>>) linux.get("namespaces")) {
            if ("network".equals(namespace.get("type"))) {
                namespace.put("path", "/run/netns/" + id);
            }
        }
        return copy;
    }

    private static Map<?, ?> configOf(String machine, Path home) {
        var bundle = home.resolve("worker/machines").resolve(machine).resolve("bundle");
        return (Map<?, ?>) new JsonSlurper().parse(bundle.resolve("config.json").toFile());
    }

    /** The shell opens the FIFOs read-write, as the product does. */
    private void attached(String id, String verb, String... options) throws Exception {
        var own = place.resolve(id);
        var command =
                new ArrayList<>(
                        List.of(
                                "/bin/sh",
                                "-c",
                                "i=$1 o=$2 e=$3; shift 3; exec \"$@\" <>\"$i\" 1<>\"$o\" 2>\"$e\"",
                                "sh",
                                own.resolve("in").toString(),
                                own.resolve("out").toString(),
                                own.resolve("disk/err").toString(),
                                runsc.toString(),
                                "-root",
                                state(id),
                                "-platform",
                                "systrap",
                                "-net-disconnect-ok",
                                "-overlay2=root:dir=" + own.resolve("disk"),
                                verb));
        command.addAll(List.of(options));
        command.add(id);
        try {
            call(command.toArray(String[]::new));
        } catch (IOException e) {
            throw new IOException(Files.readString(own.resolve("disk/err")), e);
        }
    }

    private String state(String id) {
        return place.resolve(id).resolve("state").toString();
    }

    private String bundle(String id) {
        return place.resolve(id).resolve("bundle").toString();
    }

    private Path image() {
        return place.resolve("image-" + images);
    }

    /** Everything of this and of an earlier run that was killed. */
    private void remove() throws IOException {
        for (var id : List.of(SOURCE, CLONE)) {
            if (Files.isDirectory(place.resolve(id))) {
                attempt(runsc.toString(), "-root", state(id), "delete", "-force", id);
                attempt("umount", place.resolve(id).resolve("disk").toString());
            }
            attempt("ip", "netns", "delete", id);
        }
        removeCgroups();
        delete(place);
    }

    /** In the unified hierarchy, or in each of the separate ones. */
    private static void removeCgroups() throws IOException {
        var hierarchies = new ArrayList<>(List.of(Path.of("/sys/fs/cgroup")));
        try (var separate = Files.list(hierarchies.get(0))) {
            separate.filter(Files::isDirectory).forEach(hierarchies::add);
        }
        for (var hierarchy : hierarchies) {
            var group = hierarchy.resolve("hfbench");
            Files.deleteIfExists(group.resolve(SOURCE));
            Files.deleteIfExists(group.resolve(CLONE));
            Files.deleteIfExists(group);
        }
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (var files = Files.walk(tree)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void attempt(String... command) {
        try {
            call(command);
        } catch (IOException e) {
            // It was not there; what must be gone is seen when the directory is deleted.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void call(String... command) throws IOException, InterruptedException {
        var said = Files.createTempFile("hfbench", ".out");
        try {
            var process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(said.toFile())
                            .start();
            if (!process.waitFor(2, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IOException("hangs: " + String.join(" ", command));
            }
            if (process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + ": " + Files.readString(said));
            }
        } finally {
            Files.deleteIfExists(said);
        }
    }
}
