package dev.holdfast.agent;

import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonString;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * What a file system inside a sandbox keeps of one entry, its own link not followed.
 *
 * @param path from the root, or a name where it is one of a listing
 * @param size of a file or of where a link leads; of anything else none
 * @param modified nanoseconds since 1970
 * @param changed the same, of anything at all about it
 * @param target where a link leads, or the two numbers of a device
 */
public record TreeEntry(
        GuestPath path,
        Kind kind,
        int mode,
        long uid,
        long gid,
        long size,
        long modified,
        long changed,
        Optional<GuestPath> target) {

    /** What it is. */
    public enum Kind {
        FILE,
        DIRECTORY,
        LINK,
        FIFO,
        SOCKET,
        CHARACTER,
        BLOCK,
        OTHER;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether it has a target. */
        private boolean leads() {
            return this == LINK || this == CHARACTER || this == BLOCK;
        }

        private static Kind of(String word) {
            for (Kind each : values()) {
                if (each.word().equals(word)) {
                    return each;
                }
            }
            return OTHER;
        }
    }

    private static final int MODES = 07777;
    private static final int MEMBERS = 8;

    public TreeEntry {
        Objects.requireNonNull(path);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(target);
        mode &= MODES;
        size = Math.max(0, size);
        if (!kind.leads()) {
            target = Optional.empty();
        }
    }

    public boolean isFile() {
        return kind == Kind.FILE;
    }

    public Instant modifiedAt() {
        return moment(modified);
    }

    /**
     * @param nanoseconds since 1970
     */
    public static Instant moment(long nanoseconds) {
        return Instant.ofEpochSecond(
                Math.floorDiv(nanoseconds, 1_000_000_000L),
                Math.floorMod(nanoseconds, 1_000_000_000L));
    }

    /**
     * @throws AgentException for what is none: the agent is hostile
     */
    static TreeEntry of(JsonArray line) {
        try {
            return new TreeEntry(
                    GuestPath.encoded(line.getString(0)),
                    Kind.of(line.getString(1)),
                    (int) number(line, 2),
                    number(line, 3),
                    number(line, 4),
                    number(line, 5),
                    number(line, 6),
                    number(line, 7),
                    line.size() > MEMBERS && line.get(MEMBERS) instanceof JsonString target
                            ? Optional.of(GuestPath.encoded(target.getString()))
                            : Optional.empty());
        } catch (IndexOutOfBoundsException | ClassCastException | IllegalArgumentException e) {
            throw AgentException.reset("an entry that is none");
        }
    }

    /** Through its digits, as {@link Members#number}. */
    private static long number(JsonArray line, int index) {
        String digits = ((JsonNumber) line.get(index)).toString();
        if (digits.length() > 20) {
            throw new IllegalArgumentException("too long a number");
        }
        return Long.parseLong(digits);
    }
}
