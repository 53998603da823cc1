package dev.holdfast.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the server holds on this host: threads, file descriptors, connections, network namespaces.
 */
record Footprint(long threads, long descriptors, long connections, long namespaces) {

    static Footprint of(long server, String instance) {
        var process = Path.of("/proc", Long.toString(server));
        return new Footprint(
                count(process.resolve("task"), ""),
                count(process.resolve("fd"), ""),
                connections(process),
                Files.isDirectory(Path.of("/run/netns"))
                        ? count(Path.of("/run/netns"), instance)
                        : 0);
    }

    /** No more than before, but for what pools may keep. */
    boolean isBackTo(Footprint before, Footprint slack) {
        return threads <= before.threads + slack.threads
                && descriptors <= before.descriptors + slack.descriptors
                && connections <= before.connections + slack.connections
                && namespaces <= before.namespaces + slack.namespaces;
    }

    /** Sockets that the process itself holds, in any state. */
    private static long connections(Path process) {
        try (var descriptors = Files.list(process.resolve("fd"))) {
            return descriptors.filter(Footprint::isSocket).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    private static long count(Path directory, String part) {
        try (var entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.contains(part))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
