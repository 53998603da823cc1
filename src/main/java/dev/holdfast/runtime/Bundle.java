package dev.holdfast.runtime;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.nio.file.Path;
import java.util.List;

/**
 * The OCI configuration of a machine. On a restore runsc takes the root, the network namespace, the
 * cgroup, the FIFOs and what is shared from it, the rest from the image.
 *
 * @param shares each with its source
 */
record Bundle(
        MachineSpec spec,
        Path root,
        String namespace,
        String cgroup,
        JsonObjectBuilder resources,
        List<MachineSpec.Share> shares) {
    static final List<String> ENVIRONMENT =
            List.of(
                    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                    "HOME=/root",
                    "LANG=C.UTF-8");

    private static final long CPU_PERIOD = 100_000;

    /**
     * A container's usual set without raw sockets, which is all that sudo inside needs, and with
     * SYS_ADMIN: the agent gives a clone its own host name. The border is the sandbox kernel, which
     * owns everything these reach.
     */
    private static final List<String> CAPABILITIES =
            List.of(
                    "CAP_AUDIT_WRITE",
                    "CAP_CHOWN",
                    "CAP_DAC_OVERRIDE",
                    "CAP_FOWNER",
                    "CAP_FSETID",
                    "CAP_KILL",
                    "CAP_MKNOD",
                    "CAP_NET_BIND_SERVICE",
                    "CAP_SETFCAP",
                    "CAP_SETGID",
                    "CAP_SETPCAP",
                    "CAP_SETUID",
                    "CAP_SYS_ADMIN",
                    "CAP_SYS_CHROOT");

    JsonObject json() {
        return Json.createObjectBuilder()
                .add("ociVersion", "1.0.2")
                .add("process", process())
                .add(
                        "root",
                        Json.createObjectBuilder()
                                .add("path", root.toString())
                                .add("readonly", false))
                .add("hostname", spec.hostname())
                .add("mounts", mounts())
                .add("linux", linux())
                .build();
    }

    private JsonObjectBuilder process() {
        return Json.createObjectBuilder()
                .add("terminal", false)
                .add("user", Json.createObjectBuilder().add("uid", 0).add("gid", 0))
                .add("args", strings(spec.agent()))
                .add("env", strings(ENVIRONMENT))
                .add("cwd", "/")
                .add("capabilities", capabilities(CAPABILITIES))
                .add("noNewPrivileges", false)
                .add(
                        "rlimits",
                        Json.createArrayBuilder()
                                .add(limit("RLIMIT_NOFILE", 65_536))
                                .add(limit("RLIMIT_NPROC", spec.limits().processes())));
    }

    static JsonObjectBuilder capabilities(List<String> held) {
        return Json.createObjectBuilder()
                .add("bounding", strings(held))
                .add("effective", strings(held))
                .add("permitted", strings(held));
    }

    /**
     * Every tmpfs is memory of the machine and has a size, also /tmp: else runsc makes an endless
     * one.
     */
    private JsonArrayBuilder mounts() {
        long half = spec.limits().memory() / 2;
        JsonArrayBuilder mounts = systemMounts(half);
        shares.forEach(share -> mounts.add(bind(share)));
        return mounts;
    }

    private static JsonObjectBuilder bind(MachineSpec.Share share) {
        return Json.createObjectBuilder()
                .add("destination", share.where())
                .add("type", "bind")
                .add("source", share.source().toString())
                .add("options", strings(List.of("bind", "rw", "nosuid", "nodev")));
    }

    private static JsonArrayBuilder systemMounts(long half) {
        return Json.createArrayBuilder()
                .add(mount("/proc", "proc", List.of("nosuid", "nodev", "noexec")))
                .add(mount("/sys", "sysfs", List.of("nosuid", "nodev", "noexec", "ro")))
                .add(mount("/dev", "tmpfs", List.of("nosuid", "mode=755", "size=65536k")))
                .add(mount("/dev/pts", "devpts", List.of("nosuid", "noexec")))
                .add(
                        mount(
                                "/dev/shm",
                                "tmpfs",
                                List.of("nosuid", "nodev", "mode=1777", "size=" + half)))
                .add(
                        mount(
                                "/tmp",
                                "tmpfs",
                                List.of("nosuid", "nodev", "mode=1777", "size=" + half)))
                .add(
                        mount(
                                "/run",
                                "tmpfs",
                                List.of("nosuid", "nodev", "mode=755", "size=" + half / 4)));
    }

    private JsonObjectBuilder linux() {
        return Json.createObjectBuilder()
                .add("cgroupsPath", cgroup)
                .add("resources", resources)
                .add(
                        "namespaces",
                        Json.createArrayBuilder()
                                .add(Json.createObjectBuilder().add("type", "pid"))
                                .add(Json.createObjectBuilder().add("type", "mount"))
                                .add(Json.createObjectBuilder().add("type", "ipc"))
                                .add(Json.createObjectBuilder().add("type", "uts"))
                                .add(
                                        Json.createObjectBuilder()
                                                .add("type", "network")
                                                .add("path", "/run/netns/" + namespace)));
    }

    /** What the control groups hold, in every generation. */
    static JsonObjectBuilder resources(MachineSpec.Limits limits, boolean limitsSwap) {
        JsonObjectBuilder memory = Json.createObjectBuilder().add("limit", limits.memory());
        if (limitsSwap) {
            memory.add("swap", limits.memory());
        }
        return Json.createObjectBuilder()
                .add("memory", memory)
                .add(
                        "cpu",
                        Json.createObjectBuilder()
                                .add("quota", Math.round(limits.cpus() * CPU_PERIOD))
                                .add("period", CPU_PERIOD))
                .add("pids", Json.createObjectBuilder().add("limit", limits.hostTasks()));
    }

    static JsonObjectBuilder limit(String type, long value) {
        return Json.createObjectBuilder().add("type", type).add("hard", value).add("soft", value);
    }

    static JsonObjectBuilder mount(String where, String type, List<String> options) {
        return Json.createObjectBuilder()
                .add("destination", where)
                .add("type", type)
                .add("source", type)
                .add("options", strings(options));
    }

    static JsonArrayBuilder strings(List<String> values) {
        return Json.createArrayBuilder(values);
    }
}
