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

    private final Path build;
    private final Cgroups cgroups;
    private final Clock clock;
    private List<String> missing = List.of();
    private Instant lookedAt = Instant.EPOCH;

    Checklist(Path build, Cgroups cgroups, Clock clock) {
        this.build = build;
        this.cgroups = cgroups;
        this.clock = clock;
    }

    synchronized List<String> missing() {
        Instant now = clock.instant();
        if (lookedAt.plus(FRESH).isBefore(now)) {
            missing = look();
            lookedAt = now;
        }
        return missing;
    }

    private List<String> look() {
        var missing = new ArrayList<String>();
        if (!root()) {
            missing.add("root: the server runs as another user");
        }
        if (!Files.isExecutable(build)) {
            missing.add("runsc build " + build);
        }
        PROGRAMS.forEach(
                (program, origin) -> {
                    if (PLACES.stream()
                            .noneMatch(dir -> Files.isExecutable(Path.of(dir, program)))) {
                        missing.add("program " + program + " (package " + origin + ")");
                    }
                });
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
