package dev.holdfast.workbench;

import dev.holdfast.agent.FileEntry;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What is at a path of a session.
 *
 * @param type {@code file}, {@code directory}, {@code symlink} or {@code other}
 * @param target where a link leads
 */
public record SessionFile(
        String name,
        String path,
        String type,
        long size,
        Instant modifiedAt,
        Optional<String> target) {

    /** Longer ones are no paths of a kernel, whatever an agent says. */
    private static final int LONGEST = 4096;

    /**
     * Those of a directory, by name.
     *
     * @param next the name to go on after; empty on the last page
     */
    public record Page(List<SessionFile> files, Optional<String> next) {}

    static SessionFile of(FileEntry entry) {
        return new SessionFile(
                bounded(entry.name()),
                bounded(entry.path()),
                entry.type().name().toLowerCase(Locale.ROOT),
                entry.size(),
                entry.modifiedAt(),
                entry.target().map(SessionFile::bounded));
    }

    private static String bounded(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}
