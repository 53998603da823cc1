package dev.holdfast.runtime;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The OCI configuration of a machine of the first generation. The border is the host's kernel, so
 * what a second one may freely do in its own is closed here: root inside is nobody outside, has
 * only the capabilities that change users and files, gains none by starting a program, and asks the
 * kernel for nothing that {@link SystemCalls} does not list.
 */
record LightBundle(
        MachineSpec spec,
        Path stage,
        String namespace,
        String cgroup,
        JsonObjectBuilder resources,
        long firstId) {
    private static final long OPEN_FILES = 65_536;

    private static final List<String> CAPABILITIES =
            List.of(
                    "CAP_CHOWN",
                    "CAP_DAC_OVERRIDE",
                    "CAP_FOWNER",
                    "CAP_FSETID",
                    "CAP_KILL",
                    "CAP_SETFCAP",
                    "CAP_SETGID",
                    "CAP_SETUID",
                    "CAP_SYS_CHROOT");

    /** What the kernel shows of the host, or of other machines, to every process. */
    private static final List<String> MASKED =
            List.of(
                    "/proc/acpi",
                    "/proc/asound",
                    "/proc/interrupts",
                    "/proc/kcore",
                    "/proc/keys",
                    "/proc/kmsg",
                    "/proc/latency_stats",
                    "/proc/sched_debug",
                    "/proc/scsi",
                    "/proc/timer_list",
                    "/proc/timer_stats",
                    "/sys/block",
                    "/sys/devices/virtual/block",
                    "/sys/devices/virtual/powercap",
                    "/sys/firmware",
                    "/sys/fs",
                    "/sys/kernel",
                    "/sys/module");

    private static final List<String> READ_ONLY =
            List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

    JsonObject json() {
        return Json.createObjectBuilder()
                .add("ociVersion", "1.0.2")
                .add("process", process())
                .add(
                        "root",
                        Json.createObjectBuilder()
                                .add("path", Runc.root(stage).toString())
                                .add("readonly", false))
                .add("hostname", spec.hostname())
                .add("mounts", mounts())
                .add("linux", linux())
                .build();
    }

    /** Root is bound by its number of processes as well: it is not the host's. */
    private JsonObjectBuilder process() {
        return Json.createObjectBuilder()
                .add("terminal", false)
                .add("user", Json.createObjectBuilder().add("uid", 0).add("gid", 0))
                .add("args", Bundle.strings(spec.agent()))
                .add("env", Bundle.strings(Bundle.ENVIRONMENT))
                .add("cwd", "/")
                .add("capabilities", Bundle.capabilities(CAPABILITIES))
                .add("noNewPrivileges", true)
                .add(
                        "rlimits",
                        Json.createArrayBuilder()
                                .add(Bundle.limit("RLIMIT_CORE", 0))
                                .add(Bundle.limit("RLIMIT_NOFILE", openFiles()))
                                .add(Bundle.limit("RLIMIT_NPROC", spec.limits().processes())));
    }

    private JsonArrayBuilder mounts() {
        long half = spec.limits().memory() / 2;
        return Json.createArrayBuilder()
                .add(Bundle.mount("/proc", "proc", List.of("nosuid", "nodev", "noexec")))
                .add(
                        Json.createObjectBuilder()
                                .add("destination", "/sys")
                                .add("type", "bind")
                                .add("source", Runc.sysfs(stage).toString())
                                .add(
                                        "options",
                                        Bundle.strings(
                                                List.of(
                                                        "bind", "nosuid", "nodev", "noexec",
                                                        "ro"))))
                .add(
                        Bundle.mount(
                                "/dev",
                                "tmpfs",
                                List.of("nosuid", "strictatime", "mode=755", "size=65536k")))
                .add(
                        Bundle.mount(
                                "/dev/pts",
                                "devpts",
                                List.of(
                                        "nosuid",
                                        "noexec",
                                        "newinstance",
                                        "ptmxmode=0666",
                                        "max=256")))
                .add(tmpfs("/dev/shm", "1777", half))
                .add(tmpfs("/tmp", "1777", half))
                .add(tmpfs("/run", "755", half / 4));
    }

    private static JsonObjectBuilder tmpfs(String where, String mode, long size) {
        return Bundle.mount(
                where, "tmpfs", List.of("nosuid", "nodev", "mode=" + mode, "size=" + size));
    }

    private JsonObjectBuilder linux() {
        return Json.createObjectBuilder()
                .add("cgroupsPath", cgroup)
                .add(
                        "resources",
                        resources.add(
                                "devices",
                                Json.createArrayBuilder()
                                        .add(
                                                Json.createObjectBuilder()
                                                        .add("allow", false)
                                                        .add("access", "rwm"))))
                .add("uidMappings", users())
                .add("gidMappings", users())
                .add(
                        "namespaces",
                        Json.createArrayBuilder()
                                .add(namespace("user"))
                                .add(namespace("pid"))
                                .add(namespace("mount"))
                                .add(namespace("ipc"))
                                .add(namespace("uts"))
                                .add(namespace("cgroup"))
                                .add(namespace("network").add("path", "/run/netns/" + namespace)))
                .add("maskedPaths", Bundle.strings(MASKED))
                .add("readonlyPaths", Bundle.strings(READ_ONLY))
                .add("seccomp", SystemCalls.json(System.getProperty("os.arch")));
    }

    private static JsonObjectBuilder namespace(String type) {
        return Json.createObjectBuilder().add("type", type);
    }

    private JsonArrayBuilder users() {
        return Json.createArrayBuilder()
                .add(
                        Json.createObjectBuilder()
                                .add("containerID", 0)
                                .add("hostID", firstId)
                                .add("size", Runc.IDS));
    }

    /** No more than the server may have itself: runc cannot raise it everywhere. */
    private static long openFiles() {
        try (var lines = Files.lines(Path.of("/proc/self/limits"))) {
            return lines.filter(line -> line.startsWith("Max open files"))
                    .map(line -> line.split("\\s{2,}")[2].strip())
                    .filter(hard -> !hard.equals("unlimited"))
                    .mapToLong(Long::parseLong)
                    .map(hard -> Math.min(hard, OPEN_FILES))
                    .findFirst()
                    .orElse(OPEN_FILES);
        } catch (IOException e) {
            return OPEN_FILES;
        }
    }
}
