package dev.holdfast.api;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A part of a list of snapshots, in its order.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 * @param previous what to give as {@code before} for the page before it; absent on the first one
 * @param page the number that was asked for
 * @param total how many there are, if a page was asked for by number
 * @param totalIsExact otherwise there are more than {@code total}
 */
@Schema(requiredProperties = {"snapshots"})
public record SnapshotPage(
        List<SnapshotView> snapshots,
        @Schema(description = "What to give as after for the page behind it") String next,
        @Schema(description = "What to give as before for the page before it") String previous,
        Integer page,
        @Schema(description = "Counted up to 10000; given with a page by number") Long total,
        @Schema(description = "Otherwise there are more than total") Boolean totalIsExact) {}
