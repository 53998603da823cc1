package dev.holdfast.contents;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What differs between two snapshots, in short.
 *
 * @param truncated whether there are more changes than are listed
 * @param unread how many entries could not be looked at, in both together
 * @param leftOut what is not compared
 */
@Schema(
        name = "ComparisonSummary",
        requiredProperties = {
            "added",
            "removed",
            "changed",
            "truncated",
            "unread",
            "sameTemplate",
            "leftOut",
            "processes",
            "environment",
            "packages"
        })
public record Summary(
        Figures added,
        Figures removed,
        Figures changed,
        boolean truncated,
        long unread,
        boolean sameTemplate,
        List<String> leftOut,
        Names processes,
        Names environment,
        Packages packages) {

    /** What is left out of every comparison. */
    static final List<String> LEFT_OUT = List.of("/proc", "/sys", "/dev", "/run/holdfast");

    /** How many there are and what their files have; of changed ones whose content is another. */
    @Schema(
            name = "ComparisonFigures",
            requiredProperties = {"entries", "bytes"})
    public record Figures(long entries, long bytes) {}

    /** At most a thousand of each are named, all are counted. */
    @Schema(
            name = "ComparisonNames",
            requiredProperties = {"added", "removed", "addedCount", "removedCount"})
    public record Names(
            List<String> added, List<String> removed, long addedCount, long removedCount) {}

    /** A package with its version then and now; absent where it was not installed. */
    @Schema(
            name = "ComparisonPackage",
            requiredProperties = {"name"})
    public record Package(String name, String before, String after) {}

    /** At most a thousand are named, all are counted. */
    @Schema(
            name = "ComparisonPackages",
            requiredProperties = {"changes", "count"})
    public record Packages(List<Package> changes, long count) {}
}
