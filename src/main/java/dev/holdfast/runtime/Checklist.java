package dev.holdfast.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What a host must have; looked at again when the last look is some seconds old. */
final class Checklist {
    private static final Duration FRESH = Duration.ofSeconds(5);
    private static final List<String> PLACES =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");
    private static final Map<String, String> PROGRAMS =
            new TreeMap<>(
                    Map.of(
                            "ip", "iproute2",
                            "nft", "nftables",
                            "dnsmasq", "dnsmasq-base",
                            "mkfs.ext4", "e2fsprogs",
                            "mount", "mount",
                            "losetup", "mount",
                            "mkfifo", "coreutils"));

    private static final Map<String, String> LIGHT_PROGRAMS =
            new TreeMap<>(
                    Map.of(
                            "runc", "runc",
                            "perl", "perl-base",
                            "unshare", "util-linux",
                            "nsenter", "util-linux"));

    private final Path build;
    private final boolean light;
    private final Cgroups cgroups;
    private final Clock clock;
    private List<String> missing = List.of();
    private List<String> missingForLight = List.of();
    private Instant lookedAt = Instant.EPOCH;

    Checklist(Path build, boolean light, Cgroups cgroups, Clock clock) {
        this.build = build;
        this.light = light;
        this.cgroups = cgroups;
        this.clock = clock;
    }

    synchronized List<String> missing() {
        lookIfStale();
        return missing;
    }

    /** What light machines need besides; empty when nobody turned them on. */
    synchronized List<String> missingForLight() {
        lookIfStale();
        return missingForLight;
    }

    private void lookIfStale() {
        Instant now = clock.instant();
        if (lookedAt.plus(FRESH).isBefore(now)) {
            missing = look();
            missingForLight = light ? lookForLight() : List.of();
            lookedAt = now;
        }
    }

    private static List<String> lookForLight() {
        var missing = new ArrayList<>(missing(LIGHT_PROGRAMS));
        if (missing.isEmpty() && Command.run("runc", "--version").failed()) {
            missing.add("a runc that runs");
        }
        try {
            if (!Files.readString(Path.of("/proc/filesystems")).contains("\toverlay\n")) {
                missing.add("file system overlay of the kernel");
            }
            Path namespaces = Path.of("/proc/sys/user/max_user_namespaces");
            if (!Files.exists(namespaces) || Files.readString(namespaces).strip().equals("0")) {
                missing.add("user namespaces of the kernel (user.max_user_namespaces)");
            }
        } catch (IOException e) {
            missing.add("/proc: " + e.getMessage());
        }
        return List.copyOf(missing);
    }

    private static List<String> missing(Map<String, String> programs) {
        return programs.entrySet().stream()
                .filter(
                        program ->
                                PLACES.stream()
                                        .map(place -> Path.of(place, program.getKey()))
                                        .noneMatch(Files::isExecutable))
                .map(
                        program ->
                                "program "
                                        + program.getKey()
                                        + " (package "
                                        + program.getValue()
                                        + ")")
                .toList();
    }

    private List<String> look() {
        var missing = new ArrayList<String>();
        if (!root()) {
            missing.add("root: the server runs as another user");
        }
        if (!Files.isExecutable(build)) {
            missing.add("runsc build " + build);
        }
        missing.addAll(missing(PROGRAMS));
        if (!Files.exists(Path.of("/dev/loop-control"))) {
            missing.add("loop devices (/dev/loop-control)");
        }
        if (!forwarderUser()) {
            missing.add("user dnsmasq (package dnsmasq-base)");
        }
        missing.addAll(cgroups.missing());
        return List.copyOf(missing);
    }

    private static boolean root() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean forwarderUser() {
        try (Stream<String> users = Files.lines(Path.of("/etc/passwd"))) {
            return users.anyMatch(user -> user.startsWith("dnsmasq:"));
        } catch (IOException e) {
            return false;
        }
    }
}
