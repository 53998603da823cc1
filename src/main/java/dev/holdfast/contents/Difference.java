package dev.holdfast.contents;

import dev.holdfast.agent.TreeEntry;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** In what an entry differs from what had its path before. */
public enum Difference {
    TYPE,
    MODE,
    OWNER,
    SIZE,
    TARGET,
    CONTENT;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What can be told without reading content. */
    static Set<Difference> between(TreeEntry before, TreeEntry after) {
        Set<Difference> found = EnumSet.noneOf(Difference.class);
        if (before.kind() != after.kind()) {
            found.add(TYPE);
        }
        // Links have no mode of their own.
        if (before.mode() != after.mode() && after.kind() != TreeEntry.Kind.LINK) {
            found.add(MODE);
        }
        if (before.uid() != after.uid() || before.gid() != after.gid()) {
            found.add(OWNER);
        }
        if (before.kind() == after.kind()) {
            if (before.isFile() && before.size() != after.size()) {
                found.add(SIZE);
                found.add(CONTENT);
            }
            if (!before.target().equals(after.target())) {
                found.add(TARGET);
            }
        }
        return found;
    }

    /** Whether only their content can tell. */
    static boolean isInDoubt(TreeEntry before, TreeEntry after) {
        return before.isFile()
                && after.isFile()
                && before.size() == after.size()
                && before.size() > 0
                && (before.modified() != after.modified() || before.changed() != after.changed());
    }
}
