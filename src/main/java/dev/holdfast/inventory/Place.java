package dev.holdfast.inventory;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Token;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Where in an order a snapshot stands, whether it is still there or not.
 *
 * @param key as text, of the order's key
 */
public record Place(String key, SnapshotId id) {

    public Place {
        Objects.requireNonNull(key);
        Objects.requireNonNull(id);
    }

    /** In the order of creation. */
    public static Place created(Instant at, SnapshotId id) {
        return new Place(at.toString(), id);
    }

    public static Place of(Snapshot snapshot, Sort sort) {
        return new Place(sort.keyOf(snapshot), snapshot.id());
    }

    /** A text for callers to give back, good for the same list only. */
    public String token(ProjectId project, Selection selection, Order order) {
        String text = selection.digest(project, order) + " " + id + " " + key;
        return Token.of(text);
    }

    /**
     * @throws Problem {@code invalid_parameter} for what this list did not give
     */
    public static Place read(
            String parameter, String token, ProjectId project, Selection selection, Order order) {
        return read(token, selection.digest(project, order), order.sort())
                .orElseThrow(
                        () ->
                                Problem.invalid(
                                        parameter,
                                        "\""
                                                + parameter
                                                + "\" is what this list gave, with the same"
                                                + " filters and the same order. Start"
                                                + " without it."));
    }

    private static Optional<Place> read(String token, String digest, Sort sort) {
        return Token.read(token)
                .map(text -> text.split(" ", -1))
                .filter(parts -> parts.length == 3 && parts[0].equals(digest))
                .filter(parts -> sort.isKey(parts[2]))
                .flatMap(parts -> SnapshotId.parse(parts[1]).map(id -> new Place(parts[2], id)));
    }
}
