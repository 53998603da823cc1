package dev.holdfast.retention;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The versions of a project's policy that rule anything, in their order. */
public record Regime(List<Version> versions) {

    /** How many may rule side by side. */
    public static final int MOST = 20;

    /**
     * One of them.
     *
     * @param since it rules what was saved then or later, until there is a later version
     */
    public record Version(int number, Policy policy, Instant since) {

        /** Whether it also rules what was there before it. */
        public boolean coversExisting() {
            return since.equals(Instant.EPOCH);
        }
    }

    /**
     * What is said of a snapshot, and by which version.
     *
     * @param version empty: none rules it
     */
    public record Verdict(Optional<Integer> version, Ruling ruling) {}

    /** Leaves out those that a later one has replaced altogether. */
    public Regime {
        List<Version> rule = new ArrayList<>();
        versions.stream()
                .sorted(Comparator.comparing(Version::number))
                .forEach(
                        next -> {
                            rule.removeIf(before -> !before.since().isBefore(next.since()));
                            rule.add(next);
                        });
        versions = List.copyOf(rule);
    }

    /** The version under which something saved at this moment is. */
    public Optional<Version> of(Instant savedAt) {
        Optional<Version> found = Optional.empty();
        for (Version each : versions) {
            if (!each.since().isAfter(savedAt)) {
                found = Optional.of(each);
            }
        }
        return found;
    }

    /** The number of the last version; 0: there is none. */
    public int latest() {
        return versions.isEmpty() ? 0 : versions.get(versions.size() - 1).number();
    }

    public Regime with(Version next) {
        List<Version> all = new ArrayList<>(versions);
        all.add(next);
        return new Regime(all);
    }

    boolean isBlindToLabels() {
        return versions.stream().allMatch(each -> each.policy().isBlindToLabels());
    }

    /** Begins at a moment; it is to be shown all snapshots, the newest first. */
    Sitting at(Instant now) {
        Map<Integer, Judge> judges = new LinkedHashMap<>();
        versions.forEach(each -> judges.put(each.number(), new Judge(each.policy(), now)));
        return new Sitting(this, judges);
    }

    /** All versions look at each snapshot, and the one that rules it is heard. */
    static final class Sitting {
        private final Regime regime;
        private final Map<Integer, Judge> judges;

        private Sitting(Regime regime, Map<Integer, Judge> judges) {
            this.regime = regime;
            this.judges = judges;
        }

        Verdict judge(Candidate candidate) {
            Optional<Integer> ruling = regime.of(candidate.savedAt()).map(Version::number);
            Ruling heard = null;
            for (Map.Entry<Integer, Judge> each : judges.entrySet()) {
                Ruling said = each.getValue().judge(candidate);
                if (ruling.filter(each.getKey()::equals).isPresent()) {
                    heard = said;
                }
            }
            return new Verdict(
                    ruling,
                    heard != null
                            ? heard
                            : Ruling.keep(
                                    new Ground(Ground.Kind.NO_RULE, "no policy was there yet")));
        }
    }
}
