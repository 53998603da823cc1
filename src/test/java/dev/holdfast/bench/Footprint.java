package dev.holdfast.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What the processes of one installation have used so far: those that name its home in their
 * command line, and whatever descends from them. Read from {@code /proc}; see proc(5).
 *
 * @param processorMillis of all that live and of the ended children that they waited for
 * @param memoryBytes resident, with what is shared between processes divided by their number
 * @param writtenBytes handed to disks
 */
record Footprint(long processorMillis, long memoryBytes, long writtenBytes) {

    /** Linux has told user space for decades that there are so many in a second. */
    private static final long TICK_MILLIS = 1_000 / 100;

    private static final Pattern PSS = Pattern.compile("(?m)^Pss:\\s+(\\d+) kB");
    private static final Pattern WRITTEN = Pattern.compile("(?m)^write_bytes: (\\d+)");

    static Footprint of(Path home) {
        long millis = 0;
        long memory = 0;
        long written = 0;
        for (long process : processes(home + "/")) {
            // After the name, which may hold anything: state, parent, ..., utime is the 14th.
            var fields = afterName(process);
            if (fields.length > 14) {
                for (int i = 11; i <= 14; i++) {
                    millis += Long.parseLong(fields[i]) * TICK_MILLIS;
                }
            }
            memory += 1024 * number(PSS, read(process, "smaps_rollup"));
            written += number(WRITTEN, read(process, "io"));
        }
        return new Footprint(millis, memory, written);
    }

    Footprint since(Footprint before) {
        return new Footprint(
                processorMillis - before.processorMillis,
                memoryBytes - before.memoryBytes,
                writtenBytes - before.writtenBytes);
    }

    private static List<Long> processes(String home) {
        Map<Long, Long> parents = new HashMap<>();
        List<Long> found = new ArrayList<>();
        try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (var each : all) {
                long process = Long.parseLong(each.getFileName().toString());
                var fields = afterName(process);
                if (fields.length > 1) {
                    parents.put(process, Long.parseLong(fields[1]));
                }
                if (read(process, "cmdline").replace('\0', ' ').contains(home)
                        && process != ProcessHandle.current().pid()) {
                    found.add(process);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (int i = 0; i < found.size(); i++) {
            long parent = found.get(i);
            parents.forEach(
                    (child, its) -> {
                        if (its == parent && !found.contains(child)) {
                            found.add(child);
                        }
                    });
        }
        return found;
    }

    private static String[] afterName(long process) {
        var line = read(process, "stat");
        return line.substring(line.lastIndexOf(')') + 1).strip().split(" ");
    }

    private static long number(Pattern pattern, String text) {
        var found = pattern.matcher(text);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    /** Empty for a process that is gone by now. */
    private static String read(long process, String file) {
        try {
            return new String(
                    Files.readAllBytes(Path.of("/proc/" + process + "/" + file)),
                    StandardCharsets.UTF_8);
        } catch (IOException ended) {
            return "";
        }
    }
}
