package dev.holdfast.inventory;

/** Where a snapshot can be: one range of every index, so that each is read in order. */
enum Shelf {
    LIVE("s.state = 'SAVED' and " + Sort.EXPIRY.key() + " > statement_timestamp()"),
    EXPIRED("s.state = 'SAVED' and " + Sort.EXPIRY.key() + " <= statement_timestamp()"),
    UPLOADING("s.state = 'UPLOADING'"),
    TRASHED("s.state = 'TRASHED'"),
    PENDING("s.state = 'CLEANUP_PENDING'");

    private final String condition;

    Shelf(String condition) {
        this.condition = condition;
    }

    String condition() {
        return condition;
    }
}
