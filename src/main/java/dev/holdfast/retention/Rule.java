package dev.holdfast.retention;

import dev.holdfast.problem.Problem;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * What is kept of some snapshots.
 *
 * @param name only those with such a name
 * @param labels only those with all of these
 * @param per over what it counts; there if anything is counted
 * @param last how many of the newest are kept
 * @param periods for how many of the latest periods the newest of each is kept
 * @param minimumAge what is younger is kept
 * @param maximumAge what is as old or older goes
 */
public record Rule(
        Optional<NamePattern> name,
        Map<String, String> labels,
        Optional<Scope> per,
        OptionalInt last,
        Map<Period, Integer> periods,
        Optional<Duration> minimumAge,
        Optional<Duration> maximumAge) {

    public static final int MOST_KEPT = 10_000;
    public static final int MOST_LABELS = 8;
    public static final Duration LONGEST = Duration.ofDays(3650);

    /**
     * @throws Problem {@code invalid_parameter}
     */
    public Rule {
        labels = Collections.unmodifiableMap(new TreeMap<>(labels));
        Map<Period, Integer> sorted = new EnumMap<>(Period.class);
        sorted.putAll(periods);
        periods = Collections.unmodifiableMap(sorted);
        if (labels.size() > MOST_LABELS) {
            throw Problem.invalid("labels", "A rule asks for at most " + MOST_LABELS + " labels.");
        }
        last.ifPresent(count -> requireCount("keepLast", count));
        periods.forEach((period, count) -> requireCount(period.member(), count));
        boolean counts = last.isPresent() || !periods.isEmpty();
        if (counts != per.isPresent()) {
            throw Problem.invalid(
                    "per",
                    "\"per\" says over what is counted: name, source or project. A rule has it if"
                            + " it has keepLast, keepHourly, keepDaily, keepWeekly or keepMonthly,"
                            + " and only then.");
        }
        minimumAge.ifPresent(age -> requireAge("minimumAgeSeconds", age));
        maximumAge.ifPresent(age -> requireAge("maximumAgeSeconds", age));
        if (minimumAge.isPresent()
                && maximumAge.isPresent()
                && minimumAge.get().compareTo(maximumAge.get()) > 0) {
            throw Problem.invalid(
                    "minimumAgeSeconds", "The minimum age is at most the maximum age.");
        }
    }

    private static void requireCount(String member, int count) {
        if (count < 1 || count > MOST_KEPT) {
            throw Problem.invalid(
                    member,
                    "\"%s\" is a number from 1 to %d; leave it out to count nothing."
                            .formatted(member, MOST_KEPT));
        }
    }

    private static void requireAge(String member, Duration age) {
        if (age.isNegative() || age.isZero() || age.compareTo(LONGEST) > 0) {
            throw Problem.invalid(
                    member,
                    "\"%s\" is a number from 1 to %d.".formatted(member, LONGEST.toSeconds()));
        }
    }

    boolean counts() {
        return per.isPresent();
    }

    /** Whether it decides on this one, if no rule before it does. */
    boolean isAbout(Candidate candidate) {
        return name.map(pattern -> candidate.name().filter(pattern::matches).isPresent())
                        .orElse(true)
                && candidate.labels().entrySet().containsAll(labels.entrySet())
                && per.map(scope -> scope.group(candidate).isPresent()).orElse(true);
    }
}
