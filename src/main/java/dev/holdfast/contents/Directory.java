package dev.holdfast.contents;

import dev.holdfast.agent.Probe;
import java.util.List;

/**
 * What is at a path of a snapshot.
 *
 * @param itself with its path, links before it followed
 * @param entries what is in it, if it is a directory, by name
 * @param more whether others come behind them
 */
public record Directory(Item itself, List<Item> entries, boolean more) {

    public Directory {
        entries = List.copyOf(entries);
    }

    static Directory of(Probe.Listing listing) {
        return new Directory(
                Item.of(listing.itself(), listing.path()),
                listing.entries().stream()
                        .map(each -> Item.of(each, listing.path().below(each.path())))
                        .toList(),
                listing.more());
    }
}
