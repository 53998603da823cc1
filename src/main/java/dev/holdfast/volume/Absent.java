package dev.holdfast.volume;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;

/** What is said of volumes that are not there. */
final class Absent {

    private Absent() {}

    static Problem volume(String reference) {
        return new Problem(
                Reason.VOLUME_NOT_FOUND,
                "There is no volume \"" + reference + "\". Name it by its ID or its name.");
    }

    static Problem mounted(Mount mount) {
        return new Problem(
                        Reason.VOLUME_DELETED,
                        "Volume "
                                + mount.name()
                                + ", which was mounted at "
                                + mount.path()
                                + ", has been deleted. A volume of the same name is another one."
                                + " Use another snapshot.")
                .with("volume", mount.volume().toString());
    }
}
