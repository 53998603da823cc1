package dev.holdfast.volume;

import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** How many volumes a project has and how large they are: {@code holdfast.volume.*}. */
@Dependent
public class VolumeConfig {

    private static final long MEBIBYTE = 1L << 20;

    @Inject
    @ConfigProperty(name = "holdfast.volume.most", defaultValue = "20")
    int most;

    @Inject
    @ConfigProperty(name = "holdfast.volume.project-mib", defaultValue = "20480")
    long projectMebibytes;

    @Inject
    @ConfigProperty(name = "holdfast.volume.usual-mib", defaultValue = "1024")
    long usualMebibytes;

    @Inject
    @ConfigProperty(name = "holdfast.volume.largest-mib", defaultValue = "10240")
    long largestMebibytes;

    /** How many a project may have. */
    public int most() {
        return most;
    }

    /** What the limits of a project's volumes may come to. */
    public long projectBytes() {
        return projectMebibytes * MEBIBYTE;
    }

    /** The limit of one for which none is asked. */
    public long usualBytes() {
        return usualMebibytes * MEBIBYTE;
    }

    public long largestBytes() {
        return largestMebibytes * MEBIBYTE;
    }
}
