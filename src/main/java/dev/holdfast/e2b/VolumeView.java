package dev.holdfast.e2b;

import dev.holdfast.volume.Volume;
import dev.holdfast.volume.VolumeTokens;

/**
 * A volume.
 *
 * @param token for what is in it; absent in lists
 */
public record VolumeView(String volumeID, String name, String token) {

    static VolumeView listed(Volume volume) {
        return new VolumeView(volume.id().toString(), volume.name(), null);
    }

    static VolumeView of(Volume volume, VolumeTokens tokens) {
        return new VolumeView(volume.id().toString(), volume.name(), tokens.of(volume.id()));
    }
}
