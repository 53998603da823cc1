package dev.holdfast.drive;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.runtime.MachineFailure;
import dev.holdfast.volume.Volume;
import java.time.Duration;

/** What is said of volumes that cannot be had here and now. */
final class Barred {

    private Barred() {}

    static Problem busy(Volume volume, Duration wait) {
        return new Problem(
                        Reason.VOLUME_BUSY,
                        "Volume "
                                + volume.name()
                                + " is made larger now, or cannot be because files go into it or"
                                + " out of it. Ask again later.")
                .with("volume", volume.id().toString())
                .retryAfter(wait);
    }

    static Problem deleted(Volume volume) {
        return new Problem(
                Reason.VOLUME_NOT_FOUND, "Volume " + volume.name() + " has been deleted.");
    }

    static Problem elsewhere(Volume volume) {
        return new Problem(
                        Reason.VOLUME_ELSEWHERE,
                        "Volume "
                                + volume.name()
                                + " is on worker "
                                + volume.worker()
                                + ". Ask that node.")
                .with("worker", volume.worker());
    }

    static Problem unmountable(Volume volume, RuntimeException why) {
        Problem told =
                why instanceof MachineFailure failure
                                && failure.reason() == MachineFailure.Reason.NO_SPACE
                        ? new Problem(
                                Reason.DISK_FULL,
                                "The disk of this worker has no room for volume "
                                        + volume.name()
                                        + ". Have the operator make room, then ask again.",
                                why)
                        : new Problem(
                                Reason.VOLUME_UNAVAILABLE,
                                "Volume "
                                        + volume.name()
                                        + " cannot be mounted; the log of its worker says why.",
                                why);
        return told.with("volume", volume.id().toString());
    }
}
