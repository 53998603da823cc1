package dev.holdfast.contents;

import dev.holdfast.agent.Probe;
import java.util.List;
import java.util.Optional;

/**
 * What is at a path of a snapshot.
 *
 * @param itself with its path, links before it followed
 * @param entries what is in it, if it is a directory, by name
 * @param next behind which name others come; empty if none do
 */
public record Directory(Item itself, List<Item> entries, Optional<String> next) {

    public Directory {
        entries = List.copyOf(entries);
    }

    static Directory of(Probe.Listing listing) {
        return new Directory(
                Item.of(listing.itself(), listing.path()),
                listing.entries().stream()
                        .map(each -> Item.of(each, listing.path().below(each.path())))
                        .toList(),
                Optional.of(listing)
                        .filter(each -> each.more() && !each.entries().isEmpty())
                        .map(each -> each.entries().get(each.entries().size() - 1).path())
                        .map(AskedPath::token));
    }
}
