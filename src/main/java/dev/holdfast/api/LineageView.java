package dev.holdfast.api;

import dev.holdfast.access.Slug;
import dev.holdfast.inventory.Lineage;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Where a snapshot comes from and what came of it by one step.
 *
 * @param ancestors the nearest first, up to the root
 * @param complete whether the last of them is the root; otherwise its own lineage has the others
 * @param children a page of them, the oldest first
 * @param next what to give as {@code after} for the children behind these; absent on the last page
 */
@Schema(
        name = "Lineage",
        requiredProperties = {"snapshot", "ancestors", "complete", "children"})
public record LineageView(
        RelativeView snapshot,
        List<RelativeView> ancestors,
        boolean complete,
        List<RelativeView> children,
        String next) {

    static LineageView of(Lineage lineage, Optional<Slug> slug, String next) {
        return new LineageView(
                RelativeView.ancestor(lineage.snapshot(), slug),
                lineage.ancestors().stream()
                        .map(each -> RelativeView.ancestor(each, slug))
                        .toList(),
                lineage.complete(),
                lineage.children().stream().map(each -> RelativeView.child(each, slug)).toList(),
                next);
    }
}
