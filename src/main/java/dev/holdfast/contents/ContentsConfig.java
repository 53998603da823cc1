package dev.holdfast.contents;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Bounds of what is handed out and compared, {@code holdfast.contents.*}. */
@ApplicationScoped
public class ContentsConfig {

    private static final long MEBIBYTE = 1024L * 1024;

    @Inject
    @ConfigProperty(name = "holdfast.contents.largest-mib", defaultValue = "2048")
    long largestMebibytes;

    @Inject
    @ConfigProperty(name = "holdfast.contents.entries", defaultValue = "1000000")
    int entries;

    @Inject
    @ConfigProperty(name = "holdfast.contents.changes", defaultValue = "100000")
    int changes;

    @Inject
    @ConfigProperty(name = "holdfast.contents.deadline", defaultValue = "PT10M")
    Duration deadline;

    @Inject
    @ConfigProperty(name = "holdfast.contents.kept", defaultValue = "P7D")
    Duration kept;

    /** How many bytes one answer has at most. */
    long largest() {
        return largestMebibytes * MEBIBYTE;
    }

    /** How many entries of one tree are looked at. */
    int entries() {
        return entries;
    }

    /** How many changes of one comparison are listed; its summary counts all. */
    int changes() {
        return changes;
    }

    /** How long a comparison may take. */
    Duration deadline() {
        return deadline;
    }

    /** How long what came of it is kept. */
    Duration kept() {
        return kept;
    }
}
