package dev.holdfast.runtime;

import java.util.List;

/** What this host lacks, in words an operator can act on; nothing missing means ready. */
public record Readiness(List<String> missing) {
    public Readiness {
        missing = List.copyOf(missing);
    }

    public boolean ready() {
        return missing.isEmpty();
    }
}
