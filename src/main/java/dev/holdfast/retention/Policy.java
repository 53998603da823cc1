package dev.holdfast.retention;

import dev.holdfast.problem.Problem;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;

/**
 * Which snapshots are kept. The first rule that is about a snapshot decides.
 *
 * @param zone whose days and hours are counted
 */
public record Policy(ZoneId zone, List<Rule> rules) {

    public static final int MOST_RULES = 32;

    /**
     * @throws Problem {@code invalid_parameter}
     */
    public Policy {
        Objects.requireNonNull(zone);
        rules = List.copyOf(rules);
        if (rules.size() > MOST_RULES) {
            throw Problem.invalid("rules", "A policy has at most " + MOST_RULES + " rules.");
        }
    }

    /** Whether it never looks at a label. */
    boolean isBlindToLabels() {
        return rules.stream().allMatch(rule -> rule.labels().isEmpty());
    }
}
