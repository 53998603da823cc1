package dev.holdfast.inventory;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Token;
import dev.holdfast.snapshot.SnapshotId;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What somebody has seen of a selection before it is deleted. What was made later stays.
 *
 * @param count how many; negative when they were not counted to their end
 * @param from where the deletion is, if it has begun
 */
record Previewed(Instant at, long count, Optional<Place> from) {

    private static final String NOWHERE = "-";

    Previewed {
        Objects.requireNonNull(at);
        Objects.requireNonNull(from);
    }

    Previewed at(Place place) {
        return new Previewed(at, count, Optional.of(place));
    }

    String token(ProjectId project, Selection selection) {
        String text =
                String.join(
                        " ",
                        digest(project, selection),
                        at.toString(),
                        Long.toString(count),
                        from.map(Place::key).orElse(NOWHERE),
                        from.map(place -> place.id().toString()).orElse(NOWHERE));
        return Token.of(text);
    }

    /**
     * @throws Problem {@code invalid_parameter} for a token of another selection
     */
    static Previewed read(String token, ProjectId project, Selection selection) {
        return read(token, digest(project, selection))
                .orElseThrow(
                        () ->
                                Problem.invalid(
                                        "previewed",
                                        "\"previewed\" is what a preview of the same filter"
                                                + " gave. Look at what would be deleted"
                                                + " first."));
    }

    private static Optional<Previewed> read(String token, String digest) {
        try {
            String[] parts = Token.read(token).orElse("").split(" ", -1);
            if (parts.length != 5
                    || !parts[0].equals(digest)
                    || !Sort.CREATED.isKey(parts[1])
                    || !parts[2].matches("-1|\\d{1,9}")) {
                return Optional.empty();
            }
            Optional<Place> from =
                    SnapshotId.parse(parts[4])
                            .filter(id -> Sort.CREATED.isKey(parts[3]))
                            .map(id -> new Place(parts[3], id));
            return from.isEmpty() && !parts[4].equals(NOWHERE)
                    ? Optional.empty()
                    : Optional.of(
                            new Previewed(Instant.parse(parts[1]), Long.parseLong(parts[2]), from));
        } catch (IllegalArgumentException | DateTimeException e) {
            return Optional.empty();
        }
    }

    private static String digest(ProjectId project, Selection selection) {
        return "deletion" + selection.digest(project, Order.NEWEST_FIRST);
    }
}
