package dev.holdfast.storage;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a restore needs from the place it runs in. Facts only: whether a worker satisfies them is
 * judged elsewhere.
 *
 * @param runtimeDigest the runtime build that wrote the image
 * @param platform the runtime's platform
 * @param flags the runtime flags that have to be the same again, name to value
 * @param architecture the processor architecture
 * @param cpuFeatures the features that the image may have come to rely on
 * @param templateDigest the root file system below the image
 * @param mounts every bind destination to its mode; all of them must exist again
 * @param agentProtocol the version the agent inside speaks
 * @param stateFormat the version of the saved state's own layout
 */
public record Fingerprint(
        Sha256 runtimeDigest,
        String platform,
        SortedMap<String, String> flags,
        String architecture,
        SortedSet<String> cpuFeatures,
        Sha256 templateDigest,
        SortedMap<String, MountMode> mounts,
        int agentProtocol,
        int stateFormat) {

    /** The mode is kept because a restored image keeps it, whatever the new settings say. */
    public enum MountMode {
        READ_ONLY("ro"),
        READ_WRITE("rw");

        private final String word;

        MountMode(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        public static MountMode of(String word) {
            for (MountMode each : values()) {
                if (each.word.equals(word)) {
                    return each;
                }
            }
            throw new IllegalArgumentException("unknown mount mode");
        }
    }

    private static final int MAX_ENTRIES = 1024;

    public Fingerprint {
        Objects.requireNonNull(runtimeDigest, "runtimeDigest");
        Objects.requireNonNull(templateDigest, "templateDigest");
        platform = Manifest.text("platform", platform, 64);
        architecture = Manifest.text("architecture", architecture, 64);
        flags = sorted(flags);
        mounts = sorted(mounts);
        cpuFeatures = Collections.unmodifiableSortedSet(new TreeSet<>(cpuFeatures));
        if (flags.size() > MAX_ENTRIES
                || mounts.size() > MAX_ENTRIES
                || cpuFeatures.size() > MAX_ENTRIES) {
            throw new IllegalArgumentException("a fingerprint has too many entries");
        }
        if (agentProtocol < 1 || stateFormat < 1) {
            throw new IllegalArgumentException("versions in a fingerprint begin at 1");
        }
    }

    private static <V> SortedMap<String, V> sorted(Map<String, V> entries) {
        return Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    }
}
