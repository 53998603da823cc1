package dev.holdfast.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Template images, each mounted once and read-only for all its machines. A mount without machines
 * stays until {@link #trim}: the next start most likely wants it again.
 */
final class Templates {
    private static final int IDLE = 4;

    private final Path directory;
    private final Map<Path, Integer> users = new HashMap<>();

    Templates(Path directory) {
        this.directory = directory;
    }

    synchronized Path acquire(Path image) {
        Path point = point(image);
        try {
            if (!users.containsKey(image) && !Mounts.mounted(point)) {
                if (!Files.isRegularFile(image)) {
                    throw new MachineFailure(
                            MachineFailure.Reason.NOT_READY, "No template image " + image);
                }
                Mounts.image(image, point, "ro,nodev");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        users.merge(image, 1, Integer::sum);
        return point;
    }

    synchronized void release(Path image) {
        users.computeIfPresent(image, (key, count) -> Math.max(0, count - 1));
        long idle = users.values().stream().filter(count -> count == 0).count();
        if (idle > IDLE) {
            trim();
        }
    }

    /** Unmounts what no machine uses, also what an earlier run left. */
    synchronized void trim() {
        users.values().removeIf(count -> count == 0);
        var used = users.keySet().stream().map(this::point).toList();
        for (Path point : Mounts.under(directory)) {
            if (!used.contains(point)) {
                Mounts.unmount(point);
                Trees.remove(point);
            }
        }
    }

    /** Where an image that is in use is mounted. */
    Path point(Path image) {
        byte[] name = image.toString().getBytes(StandardCharsets.UTF_8);
        return directory.resolve(UUID.nameUUIDFromBytes(name).toString());
    }
}
