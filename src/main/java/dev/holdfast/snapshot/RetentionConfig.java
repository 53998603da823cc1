package dev.holdfast.snapshot;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Settings of how long snapshots are kept, {@code holdfast.snapshot.*}; durations in ISO 8601. */
@ApplicationScoped
class RetentionConfig {

    @Inject
    @ConfigProperty(name = "holdfast.snapshot.longest-retention", defaultValue = "P365D")
    Duration longest;

    @Inject
    @ConfigProperty(name = "holdfast.snapshot.warnings", defaultValue = "PT24H,PT1H")
    List<Duration> warnings;

    @Inject
    @ConfigProperty(name = "holdfast.snapshot.longest-trash", defaultValue = "P90D")
    Duration longestTrash;

    /** For how long what was deleted can be brought back at most. */
    Duration longestTrash() {
        return longestTrash;
    }

    /** How long after its saving a snapshot may live at most, where its project does not say. */
    Duration longest() {
        return longest;
    }

    /** How long before its expiry its project is warned, the shortest first. */
    List<Duration> warnings() {
        return warnings.stream().sorted().toList();
    }
}
