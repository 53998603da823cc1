package dev.holdfast.retention;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Token;
import dev.holdfast.snapshot.SnapshotId;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * What somebody has looked at: what a policy would let go at a moment.
 *
 * @param about which policy of which project, as {@link #about} has it
 * @param count how many it would let go
 * @param after where the next page begins, if this is no page but the whole
 */
record Seen(String about, Instant at, long count, Optional<Place> after) {

    private static final String NOWHERE = "-";

    /** Where a snapshot stands among those of its project, the newest first. */
    record Place(Instant createdAt, SnapshotId id) {
        boolean isBefore(Candidate other) {
            int moments = other.createdAt().compareTo(createdAt);
            return moments < 0 || moments == 0 && text(other.id()).compareTo(text(id)) < 0;
        }

        /** Its order is that of the database. */
        private static String text(SnapshotId id) {
            return id.toString();
        }

        static Place of(Candidate candidate) {
            return new Place(candidate.createdAt(), candidate.id());
        }
    }

    static String about(ProjectId project, Regime regime) {
        StringBuilder text = new StringBuilder(project.toString());
        regime.versions()
                .forEach(
                        each ->
                                text.append(' ')
                                        .append(each.number())
                                        .append(each.coversExisting() ? " all " : " new ")
                                        .append(PolicyConverter.json(each.policy())));
        return Token.digest(text.toString());
    }

    String token() {
        return Token.of(
                String.join(
                        " ",
                        about,
                        at.toString(),
                        Long.toString(count),
                        after.map(place -> place.createdAt().toString()).orElse(NOWHERE),
                        after.map(place -> place.id().toString()).orElse(NOWHERE)));
    }

    /**
     * @param parameter what the caller gave it as
     * @throws Problem {@code invalid_parameter} for a token of another policy
     */
    static Seen read(String parameter, String token, String about) {
        return read(token)
                .filter(seen -> seen.about().equals(about))
                .orElseThrow(
                        () ->
                                Problem.invalid(
                                        parameter,
                                        "\""
                                                + parameter
                                                + "\" is what the preview of this very policy gave,"
                                                + " and the policies in force have not changed"
                                                + " since. Look at a preview first."));
    }

    private static Optional<Seen> read(String token) {
        try {
            String[] parts = Token.read(token).orElse("").split(" ", -1);
            if (parts.length != 5 || !parts[2].matches("\\d{1,9}")) {
                return Optional.empty();
            }
            Optional<Place> after =
                    parts[3].equals(NOWHERE)
                            ? Optional.empty()
                            : SnapshotId.parse(parts[4])
                                    .map(id -> new Place(Instant.parse(parts[3]), id));
            return Optional.of(
                    new Seen(parts[0], Instant.parse(parts[1]), Long.parseLong(parts[2]), after));
        } catch (IllegalArgumentException | DateTimeException e) {
            return Optional.empty(); // refused like a token of another policy
        }
    }
}
