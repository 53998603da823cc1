package dev.holdfast.api;

import dev.holdfast.contents.ChangeRows;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A page of what differs, in the order of the paths' bytes.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
@Schema(
        name = "ChangePage",
        requiredProperties = {"changes"})
public record ChangePage(List<ChangeView> changes, String next) {

    /**
     * One path.
     *
     * @param what in what it differs; empty where it was added or removed
     * @param before absent where it was added
     * @param after absent where it was removed
     */
    @Schema(
            name = "Change",
            requiredProperties = {"kind", "what"})
    public record ChangeView(
            @Schema(enumeration = {"added", "removed", "changed"}) String kind,
            @Schema(examples = "[\"content\", \"size\"]") List<String> what,
            FileView before,
            FileView after) {}

    static ChangePage of(List<ChangeRows.Told> rows, int limit) {
        List<ChangeRows.Told> shown = rows.stream().limit(limit).toList();
        return new ChangePage(
                shown.stream()
                        .map(
                                each ->
                                        new ChangeView(
                                                each.kind(),
                                                each.what(),
                                                FileView.of(each.before()),
                                                FileView.of(each.after())))
                        .toList(),
                rows.size() > limit
                        ? Integer.toString(shown.get(shown.size() - 1).position())
                        : null);
    }
}
