package dev.holdfast.retention;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A policy at one moment. It is shown all snapshots of a project, the newest first, and remembers
 * of them only what each group has used of its figures: any number of snapshots takes no more
 * memory.
 */
final class Judge {

    private final Policy policy;
    private final Instant now;
    private final List<Map<String, Tally>> tallies;
    private Instant before = Instant.MAX;

    Judge(Policy policy, Instant now) {
        this.policy = policy;
        this.now = now;
        tallies = policy.rules().stream().<Map<String, Tally>>map(rule -> new HashMap<>()).toList();
    }

    Ruling judge(Candidate candidate) {
        if (candidate.createdAt().isAfter(before)) {
            throw new IllegalArgumentException("the newest come first");
        }
        before = candidate.createdAt();
        for (int i = 0; i < policy.rules().size(); i++) {
            if (policy.rules().get(i).isAbout(candidate)) {
                return judge(i, candidate).shielded(candidate.shields());
            }
        }
        return Ruling.keep(new Ground(Ground.Kind.NO_RULE, "no rule is about it"));
    }

    private Ruling judge(int number, Candidate candidate) {
        Rule rule = policy.rules().get(number);
        Duration age = Duration.between(candidate.createdAt(), now);
        if (rule.maximumAge().filter(most -> age.compareTo(most) >= 0).isPresent()) {
            return Ruling.go(
                    Ground.Kind.MAXIMUM_AGE,
                    "it has reached the maximum age, " + words(rule.maximumAge().get()));
        }
        List<Ground> keeps = new ArrayList<>();
        String whose = "";
        if (rule.counts()) {
            Scope per = rule.per().orElseThrow();
            String group = per.group(candidate).orElseThrow();
            whose = per.words(group);
            tallies.get(number)
                    .computeIfAbsent(group, each -> new Tally(rule, policy.zone()))
                    .take(candidate.createdAt(), whose, keeps);
        }
        rule.minimumAge()
                .filter(least -> age.compareTo(least) < 0)
                .ifPresent(
                        least ->
                                keeps.add(
                                        new Ground(
                                                Ground.Kind.MINIMUM_AGE,
                                                "it is younger than " + words(least))));
        if (!keeps.isEmpty()) {
            return new Ruling(Ruling.Outcome.KEEP, keeps);
        }
        if (!rule.counts()) {
            return Ruling.keep(
                    new Ground(
                            Ground.Kind.NO_LIMIT,
                            rule.maximumAge()
                                    .map(most -> "it is younger than " + words(most))
                                    .orElse("its rule lets nothing go")));
        }
        return Ruling.go(Ground.Kind.SURPLUS, "none of " + figures(rule) + " of " + whose);
    }

    private static String figures(Rule rule) {
        return Stream.concat(
                        rule.last().stream().mapToObj(count -> "the last " + count),
                        rule.periods().entrySet().stream()
                                .map(each -> each.getValue() + " " + each.getKey().word()))
                .collect(Collectors.joining(", "));
    }

    private static String words(Duration age) {
        return age.toSeconds() % 86_400 == 0 ? age.toDays() + " days" : age.toString();
    }

    /** What a group has used of the figures of a rule. */
    private static final class Tally {
        private final Rule rule;
        private final ZoneId zone;
        private final Map<Period, Object> latest = new EnumMap<>(Period.class);
        private final Map<Period, Integer> used = new EnumMap<>(Period.class);
        private int seen;

        private Tally(Rule rule, ZoneId zone) {
            this.rule = rule;
            this.zone = zone;
        }

        private void take(Instant moment, String whose, List<Ground> keeps) {
            seen++;
            if (seen <= rule.last().orElse(0)) {
                keeps.add(
                        new Ground(
                                Ground.Kind.LAST,
                                "number %d of the last %d of %s"
                                        .formatted(seen, rule.last().getAsInt(), whose)));
            }
            rule.periods()
                    .forEach(
                            (period, most) -> {
                                Object bucket = period.bucket(moment, zone);
                                int before = used.getOrDefault(period, 0);
                                if (before < most && !bucket.equals(latest.get(period))) {
                                    latest.put(period, bucket);
                                    used.put(period, before + 1);
                                    keeps.add(
                                            Ground.of(
                                                    period,
                                                    "the newest of %s, number %d of %d %s of %s"
                                                            .formatted(
                                                                    period.name(moment, zone),
                                                                    before + 1,
                                                                    most,
                                                                    period.word(),
                                                                    whose)));
                                }
                            });
        }
    }
}
