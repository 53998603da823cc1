package dev.holdfast.api;

import dev.holdfast.volume.Allotment;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Volumes, the oldest first.
 *
 * @param quota what all of the project's come to, apart from its snapshots
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
@Schema(
        name = "VolumePage",
        requiredProperties = {"volumes", "quota"})
public record VolumePage(List<VolumeView> volumes, Quota quota, String next) {

    /**
     * @param volumes how many there are, those among them whose files are being removed
     * @param bytes their limits together: so much is promised, whatever is in them
     */
    @Schema(
            name = "VolumeQuota",
            requiredProperties = {"volumes", "volumesLimit", "bytes", "bytesLimit"})
    public record Quota(long volumes, long volumesLimit, long bytes, long bytesLimit) {

        static Quota of(Allotment allotment) {
            return new Quota(
                    allotment.volumes(),
                    allotment.mostVolumes(),
                    allotment.bytes(),
                    allotment.mostBytes());
        }
    }
}
