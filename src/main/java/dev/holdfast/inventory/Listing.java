package dev.holdfast.inventory;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Slug;
import java.util.Objects;
import java.util.Optional;

/**
 * A page that somebody asks for.
 *
 * @param slug the project's own, for names that are written with it
 * @param from only what stands beyond this place
 * @param backwards beyond is before it, and the page is the one that ends there
 * @param skip how many to leave out first
 * @param limit how many at most
 */
public record Listing(
        ProjectId project,
        Optional<Slug> slug,
        Selection selection,
        Order order,
        Optional<Place> from,
        boolean backwards,
        int skip,
        int limit) {

    /** How far is counted, and how far a page by number reaches. */
    public static final int COUNTED = 10_000;

    private static final int MOST = 1_000;

    public Listing {
        Objects.requireNonNull(project);
        Objects.requireNonNull(slug);
        Objects.requireNonNull(selection);
        Objects.requireNonNull(order);
        Objects.requireNonNull(from);
        if (limit < 1 || limit > MOST || skip < 0 || skip + limit > COUNTED) {
            throw new IllegalArgumentException("a page has 1 to 1000 of the first 10000 rows");
        }
    }

    /** The first page. */
    public static Listing first(
            ProjectId project, Optional<Slug> slug, Selection selection, Order order, int limit) {
        return new Listing(project, slug, selection, order, Optional.empty(), false, 0, limit);
    }

    public Listing after(Optional<Place> place) {
        return new Listing(project, slug, selection, order, place, false, 0, limit);
    }

    public Listing before(Place place) {
        return new Listing(project, slug, selection, order, Optional.of(place), true, 0, limit);
    }

    public Listing skipping(int rows) {
        return new Listing(project, slug, selection, order, Optional.empty(), false, rows, limit);
    }

    /** In which the rows are read. */
    Order way() {
        return backwards ? order.reversed() : order;
    }
}
