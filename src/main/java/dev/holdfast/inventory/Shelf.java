package dev.holdfast.inventory;

import java.util.EnumSet;
import java.util.Set;

/** Where a snapshot can be: one range of every index, so that each is read in order. */
enum Shelf {
    LIVE("s.state = 'SAVED' and " + Sort.EXPIRY.key() + " > statement_timestamp()"),
    EXPIRED("s.state = 'SAVED' and " + Sort.EXPIRY.key() + " <= statement_timestamp()"),
    /** Both of them. */
    SAVED("s.state = 'SAVED'"),
    UPLOADING("s.state = 'UPLOADING'"),
    TRASHED("s.state = 'TRASHED'"),
    PENDING("s.state = 'CLEANUP_PENDING'");

    private final String condition;

    Shelf(String condition) {
        this.condition = condition;
    }

    /** Where nothing is twice. */
    static Set<Shelf> all() {
        return EnumSet.complementOf(EnumSet.of(SAVED));
    }

    /** What it is made of. */
    Set<Shelf> parts() {
        return this == SAVED ? EnumSet.of(LIVE, EXPIRED) : EnumSet.of(this);
    }

    String condition() {
        return condition;
    }
}
