package dev.holdfast.access;

import dev.holdfast.problem.Problem;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What the service and a project have agreed on.
 *
 * @param slug without one its snapshots have no names
 * @param plan what was sold
 * @param serviceLimit what is enforced instead, above or below it, for the time being
 * @param retention how long its snapshots are kept from now on; empty: as long as the service has
 *     it
 * @param longestRetention how long any may be kept; empty: as long as the service has it
 * @param auditRetention how long its audit is kept; empty: as long as the service has it
 */
public record ProjectTerms(
        String name,
        Optional<Slug> slug,
        Allowance plan,
        Optional<Allowance> serviceLimit,
        Optional<Duration> retention,
        Optional<Duration> longestRetention,
        Optional<Duration> auditRetention) {
    private static final int LONGEST_NAME = 128;

    /** Short enough for what must be forgotten, and too long for whoever wants to hide a deed. */
    public static final Duration SHORTEST_AUDIT = Duration.ofDays(30);

    public static final Duration LONGEST_AUDIT = Duration.ofDays(3650);

    public ProjectTerms {
        name = name == null ? "" : name.strip();
        if (name.isEmpty()
                || name.codePointCount(0, name.length()) > LONGEST_NAME
                || name.chars().anyMatch(Character::isISOControl)) {
            throw Problem.invalid(
                    "name",
                    "A project's name is 1 to 128 characters, none of them a control character.");
        }
        Objects.requireNonNull(plan);
        longestRetention.ifPresent(longest -> requireSome("longestRetentionSeconds", longest));
        retention.ifPresent(kept -> requireSome("retentionSeconds", kept));
        auditRetention.ifPresent(ProjectTerms::requireAudit);
        if (retention.isPresent()
                && longestRetention
                        .filter(most -> most.compareTo(retention.get()) < 0)
                        .isPresent()) {
            throw Problem.invalid(
                    "retentionSeconds",
                    "\"retentionSeconds\" is at most \"longestRetentionSeconds\", which is "
                            + longestRetention.get().toSeconds()
                            + ".");
        }
    }

    /** The same but for its name and slug. */
    public ProjectTerms called(String newName, Optional<Slug> newSlug) {
        return new ProjectTerms(
                newName, newSlug, plan, serviceLimit, retention, longestRetention, auditRetention);
    }

    /** The same but for its limits. */
    public ProjectTerms allowed(Allowance newPlan, Optional<Allowance> newServiceLimit) {
        return new ProjectTerms(
                name, slug, newPlan, newServiceLimit, retention, longestRetention, auditRetention);
    }

    /** The same but for how long snapshots are kept. */
    public ProjectTerms keeping(Optional<Duration> kept, Optional<Duration> longest) {
        return new ProjectTerms(name, slug, plan, serviceLimit, kept, longest, auditRetention);
    }

    /** The same but for how long its audit is kept. */
    public ProjectTerms auditedFor(Optional<Duration> kept) {
        return new ProjectTerms(name, slug, plan, serviceLimit, retention, longestRetention, kept);
    }

    private static void requireAudit(Duration kept) {
        if (kept.compareTo(SHORTEST_AUDIT) < 0 || kept.compareTo(LONGEST_AUDIT) > 0) {
            throw Problem.invalid(
                    "auditRetentionSeconds",
                    "\"auditRetentionSeconds\" is %d to %d, or null."
                            .formatted(SHORTEST_AUDIT.toSeconds(), LONGEST_AUDIT.toSeconds()));
        }
    }

    private static void requireSome(String parameter, Duration kept) {
        if (kept.compareTo(Duration.ofSeconds(1)) < 0) {
            throw Problem.invalid(parameter, "\"" + parameter + "\" is at least 1, or null.");
        }
    }
}
