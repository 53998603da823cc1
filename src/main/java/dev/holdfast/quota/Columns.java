package dev.holdfast.quota;

import jakarta.persistence.Tuple;

/** What a row of a native query has in its columns: whole numbers come in several types. */
final class Columns {

    private Columns() {}

    static long number(Tuple row, String column) {
        return row.get(column, Number.class).longValue();
    }
}
