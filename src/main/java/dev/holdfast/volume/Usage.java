package dev.holdfast.volume;

import java.util.List;

/**
 * Who has to do with a volume.
 *
 * @param sandboxes those that have not ended, or will go on from a state that mounts it: while
 *     there is one it cannot be deleted
 * @param snapshots some of the saved states that mount it, the newest first
 * @param snapshotCount how many of these there are; none can be restored without it
 */
public record Usage(List<String> sandboxes, List<String> snapshots, long snapshotCount) {

    public Usage {
        sandboxes = List.copyOf(sandboxes);
        snapshots = List.copyOf(snapshots);
    }
}
