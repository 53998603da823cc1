package dev.holdfast.inventory;

import dev.holdfast.snapshot.Snapshot;
import java.util.List;

/**
 * A part of a list, in its order.
 *
 * @param more whether there is more in the direction that was read
 */
public record Page(List<Snapshot> snapshots, boolean more) {
    public Page {
        snapshots = List.copyOf(snapshots);
    }
}
