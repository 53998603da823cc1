package dev.holdfast.api;

import dev.holdfast.drive.Listing;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What is at a path of a volume.
 *
 * @param entries what is in it, by the bytes of its names; none if it is no directory
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
@Schema(
        name = "VolumeFilePage",
        requiredProperties = {"file", "entries"})
public record VolumeFilePage(VolumeFileView file, List<VolumeFileView> entries, String next) {

    static VolumeFilePage of(Listing listing) {
        return new VolumeFilePage(
                VolumeFileView.of(listing.itself()),
                listing.entries().stream().map(VolumeFileView::of).toList(),
                listing.next().orElse(null));
    }
}
