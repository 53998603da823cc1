package dev.holdfast.e2b;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What works with which package, told from what its programs showed: a table of areas and packages,
 * the differences that tests show, and what no program uses.
 */
final class Compatibility {

    private static final String BEGIN = "<!-- compatibility: written by SdkIT -->";
    private static final String END = "<!-- compatibility: end -->";

    private static final List<String> ORDER =
            List.of(
                    "commands",
                    "pty",
                    "files",
                    "signing",
                    "watch",
                    "life",
                    "fork",
                    "network",
                    "git",
                    "metrics",
                    "snapshot",
                    "volume",
                    "code-interpreter");

    private final List<String> sdks;
    private final Collection<SdkCase> cases;
    private final Collection<LeftOut> leftOut;
    private final List<String> differences;

    Compatibility(List<String> sdks, Collection<SdkCase> cases, Collection<LeftOut> leftOut) {
        this.sdks = sdks;
        this.cases = cases;
        this.leftOut = leftOut;
        this.differences =
                ORDER.stream()
                        .flatMap(area -> cases.stream().filter(at -> at.area().equals(some(area))))
                        .flatMap(at -> at.differs().stream())
                        .distinct()
                        .toList();
    }

    private static Optional<String> some(String area) {
        return Optional.of(area);
    }

    /** The part of the README between its two markers. */
    String markdown() {
        var lines = new ArrayList<String>();
        lines.add(BEGIN);
        lines.add("");
        lines.add("| area | " + String.join(" | ", sdks) + " |");
        lines.add("| --- |" + " --- |".repeat(sdks.size()));
        areas().forEach(area -> lines.add(row(area)));
        lines.add("");
        for (int i = 0; i < differences.size(); i++) {
            lines.add("%d. %s".formatted(i + 1, differences.get(i)));
        }
        lines.add("");
        lines.add("Not used by any program, and why:");
        lines.add("");
        leftOut.stream()
                .collect(
                        Collectors.groupingBy(
                                LeftOut::why,
                                java.util.LinkedHashMap::new,
                                Collectors.mapping(
                                        LeftOut::member, Collectors.toCollection(TreeSet::new))))
                .forEach((why, members) -> lines.add("- " + why + ": " + quoted(members)));
        lines.add("");
        lines.add(END);
        return String.join("\n", lines);
    }

    private static String quoted(Collection<String> members) {
        return members.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
    }

    private Stream<String> areas() {
        return ORDER.stream().filter(area -> cases.stream().anyMatch(at -> in(at, area)));
    }

    private static boolean in(SdkCase at, String area) {
        return at.area().equals(Optional.of(area));
    }

    private String row(String area) {
        return sdks.stream()
                .map(sdk -> cell(area, sdk))
                .collect(Collectors.joining(" | ", "| " + shown(area) + " | ", " |"));
    }

    private static String shown(String area) {
        return area.equals("life") ? "life cycle" : area.replace('-', ' ');
    }

    private String cell(String area, String sdk) {
        var here = cases.stream().filter(at -> at.sdk().equals(sdk) && in(at, area)).toList();
        if (here.isEmpty()) {
            return "–";
        }
        if (here.stream().anyMatch(at -> at.failure().isPresent())) {
            return "fails";
        }
        var notes =
                here.stream()
                        .filter(at -> !at.skipped())
                        .flatMap(at -> at.differs().stream())
                        .map(why -> differences.indexOf(why) + 1)
                        .sorted()
                        .distinct()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", "));
        return notes.isEmpty() ? "works" : "differs (" + notes + ")";
    }

    /** The text with this table in place of the one it has. */
    String into(String readme) {
        return readme.substring(0, begin(readme)) + markdown() + readme.substring(end(readme));
    }

    static String of(String readme) {
        return readme.substring(begin(readme), end(readme));
    }

    private static int begin(String readme) {
        return found(readme.indexOf(BEGIN), BEGIN);
    }

    private static int end(String readme) {
        return found(readme.indexOf(END), END) + END.length();
    }

    private static int found(int at, String marker) {
        if (at < 0) {
            throw new IllegalStateException("the README has no line " + marker);
        }
        return at;
    }
}
