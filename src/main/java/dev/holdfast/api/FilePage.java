package dev.holdfast.api;

import dev.holdfast.contents.Directory;
import dev.holdfast.drive.Listing;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What is at a path of a snapshot or a volume.
 *
 * @param entries what is in it, by the bytes of its names; none if it is no directory
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
@Schema(
        name = "FilePage",
        requiredProperties = {"file", "entries"})
public record FilePage(FileView file, List<FileView> entries, String next) {

    static FilePage of(Listing listing) {
        return new FilePage(
                FileView.of(listing.itself()),
                listing.entries().stream().map(FileView::of).toList(),
                listing.next().orElse(null));
    }

    static FilePage of(Directory directory) {
        return new FilePage(
                FileView.of(directory.itself()),
                directory.entries().stream().map(FileView::of).toList(),
                directory.next().orElse(null));
    }
}
