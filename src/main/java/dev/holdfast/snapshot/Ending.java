package dev.holdfast.snapshot;

import dev.holdfast.access.ProjectId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * A snapshot that is due to end, or whose objects are.
 *
 * @param since since when: the order in which they are taken
 * @param why in words, where that is not what all of them have in common
 */
public record Ending(
        SnapshotId id, ProjectId project, long bytes, Instant since, Optional<String> why) {

    Ending(SnapshotId id, ProjectId project, long bytes, Instant since) {
        this(id, project, bytes, since, Optional.empty());
    }

    /**
     * Which of them.
     *
     * @param until those that were due by then
     * @param after those behind this one
     */
    public record Query(
            Instant until, Optional<ProjectId> project, Optional<Place> after, int most) {}

    /** Its place in the order; its text is what a checkpoint keeps. */
    public record Place(Instant since, UUID id) {

        public static Place parse(String text) {
            int gap = text.indexOf(' ');
            return new Place(
                    Instant.parse(text.substring(0, gap)),
                    UUID.fromString(text.substring(gap + 1)));
        }

        @Override
        public String toString() {
            return since + " " + id;
        }
    }

    public Ending {
        Objects.requireNonNull(id);
        Objects.requireNonNull(project);
        Objects.requireNonNull(since);
        Objects.requireNonNull(why);
    }

    public Place place() {
        return new Place(since, id.value());
    }
}
