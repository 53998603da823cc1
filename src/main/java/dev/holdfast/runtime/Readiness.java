package dev.holdfast.runtime;

import java.util.List;

/**
 * What this host lacks, in words an operator can act on; nothing missing means ready.
 *
 * @param missingForLight what machines of the first generation need besides; nothing while they are
 *     not turned on
 */
public record Readiness(List<String> missing, List<String> missingForLight) {
    public Readiness {
        missing = List.copyOf(missing);
        missingForLight = List.copyOf(missingForLight);
    }

    public boolean ready() {
        return missing.isEmpty();
    }
}
