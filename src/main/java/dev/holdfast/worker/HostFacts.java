package dev.holdfast.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** What this host's processor offers; a saved state needs the same or more. */
final class HostFacts {

    private HostFacts() {}

    static String architecture() {
        return System.getProperty("os.arch");
    }

    static List<String> cpuFeatures() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("flags") || line.startsWith("Features"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip().split(" +"))
                    .map(words -> Arrays.stream(words).sorted().distinct().toList())
                    .orElse(List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
