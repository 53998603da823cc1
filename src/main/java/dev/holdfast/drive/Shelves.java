package dev.holdfast.drive;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.volume.Volume;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** What is in volumes. Every method blocks until done, for a bounded time. */
@ApplicationScoped
public class Shelves {

    /** How many entries a page has at most. */
    public static final int MOST = 1000;

    /** How many names of one directory are looked at; what a sandbox put there knows no bound. */
    private static final int MOST_NAMES = 200_000;

    /** How many entries an answer about a whole tree has. */
    private static final int MOST_ENTRIES = 10_000;

    @Inject Drives drives;

    /**
     * @throws Problem {@code file_not_found}, {@code file_not_readable}
     */
    public Entry stat(Volume volume, DrivePath path) {
        try (Stay stay = drives.enter(volume)) {
            return entry(stay.root(), path);
        }
    }

    /**
     * What is at a path and, of a directory, a page of what is in it.
     *
     * @param after what a page before gave as next; null for the first
     * @throws Problem {@code file_not_found}, {@code file_too_large} for a directory with too many
     *     names
     */
    public Listing list(Volume volume, DrivePath path, String after, int limit) {
        try (Stay stay = drives.enter(volume)) {
            return list(stay.root(), path, after, limit);
        }
    }

    private static Listing list(Path root, DrivePath path, String after, int limit) {
        Entry itself = entry(root, path);
        if (!itself.isDirectory()) {
            return new Listing(itself, List.of(), Optional.empty());
        }
        TreeSet<String> names = first(root, path, DrivePath.after(after), limit + 1);
        boolean more = names.size() > limit;
        if (more) {
            names.pollLast();
        }
        Optional<String> next =
                Optional.of(names).filter(page -> more).map(page -> DrivePath.token(page.last()));
        return new Listing(itself, entries(root, path, names), next);
    }

    /**
     * All that is in a directory, down to a depth, each directory before what is in it.
     *
     * @throws Problem {@code file_not_found}, {@code file_too_large} for more than can be answered
     */
    public List<Entry> tree(Volume volume, DrivePath path, int depth) {
        try (Stay stay = drives.enter(volume)) {
            if (!entry(stay.root(), path).isDirectory()) {
                throw Refusals.notReadable(path, "is no directory");
            }
            List<Entry> found = new ArrayList<>();
            collect(stay.root(), path, depth, found);
            return found;
        }
    }

    private static void collect(Path root, DrivePath path, int depth, List<Entry> found) {
        TreeSet<String> names = first(root, path, "", MOST_ENTRIES + 1);
        for (Entry entry : entries(root, path, names)) {
            if (found.size() == MOST_ENTRIES) {
                throw tooMany(path, MOST_ENTRIES);
            }
            found.add(entry);
            if (depth > 1 && entry.isDirectory()) {
                collect(root, entry.path(), depth - 1, found);
            }
        }
    }

    /** The first names behind one, in order; only so many are ever kept. */
    private static TreeSet<String> first(Path root, DrivePath path, String after, int most) {
        TreeSet<String> names = new TreeSet<>();
        int seen = 0;
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(path.on(root))) {
            for (Path child : stream) {
                if (++seen > MOST_NAMES) {
                    throw tooMany(path, MOST_NAMES);
                }
                String name = DrivePath.octets(child.getFileName());
                if (name.compareTo(after) > 0) {
                    names.add(name);
                    if (names.size() > most) {
                        names.pollLast();
                    }
                }
            }
            return names;
        } catch (DirectoryIteratorException e) {
            throw Refusals.of(e.getCause(), path);
        } catch (IOException e) {
            throw Refusals.of(e, path);
        }
    }

    /** What went since its name was read is left out. */
    private static List<Entry> entries(Path root, DrivePath path, TreeSet<String> names) {
        List<Entry> entries = new ArrayList<>();
        for (String name : names) {
            DrivePath child = path.below(name);
            try {
                entries.add(Entry.of(child, child.on(root)));
            } catch (NoSuchFileException gone) {
                continue;
            } catch (IOException e) {
                throw Refusals.of(e, child);
            }
        }
        return entries;
    }

    static Entry entry(Path root, DrivePath path) {
        try {
            return Entry.of(path, path.on(root));
        } catch (IOException e) {
            throw Refusals.of(e, path);
        }
    }

    private static Problem tooMany(DrivePath path, int most) {
        return new Problem(
                        Reason.FILE_TOO_LARGE,
                        path
                                + " has more than "
                                + most
                                + " entries. List it from inside a sandbox that mounts the volume.")
                .with("limit", most);
    }
}
