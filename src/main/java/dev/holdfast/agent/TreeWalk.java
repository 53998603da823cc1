package dev.holdfast.agent;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.util.Optional;

/**
 * The entries of a tree in the order of their paths, for a thread that may wait for them. The order
 * is checked: whoever compares two trees relies on it.
 */
public final class TreeWalk implements AutoCloseable {

    private final ProbeLines lines;
    private final int most;
    private GuestPath last;
    private int told;
    private boolean over;
    private long unread;

    /**
     * @param most how many entries it was asked to tell at most
     */
    TreeWalk(ProbeLines lines, int most) {
        this.lines = lines;
        this.most = most;
    }

    /**
     * The next entry; nothing behind the last.
     *
     * @throws AgentException when the tree is broken off
     */
    public Optional<TreeEntry> next() {
        if (over) {
            return Optional.empty();
        }
        var line = lines.next().orElseThrow(() -> AgentException.reset("the tree has no end"));
        if (line instanceof JsonObject end) {
            over = true;
            unread = Math.max(0, new Members(end).number("unread", 0));
            return Optional.empty();
        }
        if (told++ == most) {
            throw AgentException.reset("a tree of more than was asked for");
        }
        TreeEntry entry = TreeEntry.of((JsonArray) line);
        if (!entry.path().isAbsolute() || (last != null && entry.path().compareTo(last) <= 0)) {
            throw AgentException.reset("a tree is out of its order");
        }
        last = entry.path();
        return Optional.of(entry);
    }

    /** What could not be looked at, once there is no next. */
    public long unread() {
        return unread;
    }

    @Override
    public void close() {
        lines.close();
    }
}
