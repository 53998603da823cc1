package dev.holdfast.drive;

import java.util.List;
import java.util.Optional;

/**
 * What is at a path of a volume.
 *
 * @param entries what is in it, if it is a directory, by the bytes of the names
 * @param next behind which name others come; empty if none do
 */
public record Listing(Entry itself, List<Entry> entries, Optional<String> next) {

    public Listing {
        entries = List.copyOf(entries);
    }
}
