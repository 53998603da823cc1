package dev.holdfast.inventory;

import dev.holdfast.snapshot.Snapshot;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What a list shows of a project's snapshots. */
public enum Status {
    SAVED("saved", EnumSet.of(Shelf.LIVE)),
    UPLOADS("uploads", EnumSet.of(Shelf.UPLOADING)),
    AWAITING_CLEANUP("awaitingCleanup", EnumSet.of(Shelf.EXPIRED, Shelf.PENDING)),
    TRASHED("trashed", EnumSet.of(Shelf.TRASHED)),
    ALL("all", Shelf.all());

    private final String word;
    private final Set<Shelf> shelves;

    Status(String word, Set<Shelf> shelves) {
        this.word = word;
        this.shelves = shelves;
    }

    public String word() {
        return word;
    }

    public static Optional<Status> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    /**
     * The word of the list that shows a snapshot besides {@code all}.
     *
     * @param expired by the same clock as the rest of what is said of it
     */
    public static String word(Snapshot snapshot, boolean expired) {
        return switch (snapshot.state()) {
            case SAVED -> (expired ? AWAITING_CLEANUP : SAVED).word;
            case UPLOADING -> UPLOADS.word;
            case CLEANUP_PENDING -> AWAITING_CLEANUP.word;
            case TRASHED -> TRASHED.word;
        };
    }

    Set<Shelf> shelves() {
        return shelves.isEmpty() ? EnumSet.noneOf(Shelf.class) : EnumSet.copyOf(shelves);
    }
}
