package dev.holdfast.inventory;

import java.util.Objects;

/** How snapshots follow one another: by a key, then by ID, both in one direction. */
public record Order(Sort sort, boolean downwards) {

    public static final Order NEWEST_FIRST = new Order(Sort.CREATED, true);

    public Order {
        Objects.requireNonNull(sort);
    }

    Order reversed() {
        return new Order(sort, !downwards);
    }

    String text() {
        String way = downwards ? " desc" : "";
        return " order by " + sort.key() + way + ", s.id" + way;
    }

    /** Behind the place that the statement's values name. */
    String beyond() {
        return " and ("
                + sort.key()
                + ", s.id) "
                + (downwards ? "<" : ">")
                + " ("
                + sort.cast(":key")
                + ", cast(:after as uuid))";
    }
}
