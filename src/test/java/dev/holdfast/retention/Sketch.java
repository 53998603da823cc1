package dev.holdfast.retention;

import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.SnapshotName;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Policies and snapshots in a line each.
 *
 * <pre>{@code
 * zone=Europe/Berlin name=nightly-* team=red per=source last=3 daily=7 min=2d max=30d / per=...
 * a 03-11T10:00 nightly:v1 from=s2 team=red pinned ; b ...
 * }</pre>
 */
final class Sketch {

    static final Instant NOW = Instant.parse("2026-03-11T12:00:00Z");

    private Sketch() {}

    static Policy policy(String text) {
        ZoneId zone = ZoneId.of("UTC");
        String rest = text == null ? "" : text.strip();
        if (rest.startsWith("zone=")) {
            String[] parts = rest.split(" ", 2);
            zone = ZoneId.of(parts[0].substring("zone=".length()));
            rest = parts.length > 1 ? parts[1] : "";
        }
        List<Rule> rules = new ArrayList<>();
        if (!rest.isBlank()) {
            Arrays.stream(rest.split(" / ")).forEach(each -> rules.add(rule(each)));
        }
        return new Policy(zone, rules);
    }

    private static Rule rule(String text) {
        Map<String, String> labels = new TreeMap<>();
        Map<Period, Integer> periods = new EnumMap<>(Period.class);
        Optional<NamePattern> name = Optional.empty();
        Optional<Scope> per = Optional.empty();
        OptionalInt last = OptionalInt.empty();
        Optional<Duration> least = Optional.empty();
        Optional<Duration> most = Optional.empty();
        for (String each : text.strip().split(" +")) {
            if (each.equals("all")) {
                continue;
            }
            String[] pair = each.split("=", 2);
            switch (pair[0]) {
                case "name" -> name = Optional.of(new NamePattern(pair[1]));
                case "per" -> per = Scope.of(pair[1]);
                case "last" -> last = OptionalInt.of(Integer.parseInt(pair[1]));
                case "min" -> least = Optional.of(age(pair[1]));
                case "max" -> most = Optional.of(age(pair[1]));
                case "hourly", "daily", "weekly", "monthly" ->
                        periods.put(
                                Period.valueOf(pair[0].toUpperCase(Locale.ROOT)),
                                Integer.valueOf(pair[1]));
                default -> labels.put(pair[0], pair[1]);
            }
        }
        return new Rule(name, labels, per, last, periods, least, most);
    }

    private static Duration age(String text) {
        return Duration.parse(
                text.endsWith("d")
                        ? "P" + text.toUpperCase(Locale.ROOT)
                        : "PT" + text.toUpperCase(Locale.ROOT));
    }

    /** The newest first; the letter is the first of its ID. */
    static List<Candidate> candidates(String text) {
        return Arrays.stream(text.split(";"))
                .map(each -> candidate(each.strip()))
                .sorted(Comparator.comparing(Candidate::createdAt).reversed())
                .toList();
    }

    private static Candidate candidate(String text) {
        String[] words = text.split(" +");
        Optional<SnapshotName> name = Optional.empty();
        String source = "s";
        Map<String, String> labels = new TreeMap<>();
        Set<Shield> shields = EnumSet.noneOf(Shield.class);
        for (int i = 2; i < words.length; i++) {
            String each = words[i];
            if (each.startsWith("from=")) {
                source = each.substring("from=".length());
            } else if (each.contains("=")) {
                String[] pair = each.split("=", 2);
                labels.put(pair[0], pair[1]);
            } else if (Arrays.stream(Shield.values())
                    .anyMatch(shield -> shield.name().equalsIgnoreCase(each))) {
                shields.add(Shield.valueOf(each.toUpperCase(Locale.ROOT)));
            } else {
                String[] parts = each.split(":");
                name =
                        Optional.of(
                                new SnapshotName(
                                        parts[0],
                                        parts.length > 1 ? parts[1] : SnapshotName.DEFAULT_TAG));
            }
        }
        Instant created =
                Instant.parse(
                        (words[1].length() > "03-11T10:00".length() ? "" : "2026-")
                                + words[1]
                                + ":00Z");
        return new Candidate(
                new SnapshotId(new UUID(words[0].charAt(0), 0)),
                name,
                new SandboxId("i" + "0".repeat(20 - source.length()) + source),
                labels,
                created,
                created,
                1,
                shields);
    }

    static String letter(Candidate candidate) {
        return String.valueOf((char) candidate.id().value().getMostSignificantBits());
    }
}
