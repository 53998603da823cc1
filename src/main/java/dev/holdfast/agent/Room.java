package dev.holdfast.agent;

/**
 * Room for what sandboxes said and what is to be said to them, in bytes. One within another: what
 * is taken of a stream's is taken of its sandbox's and of the server's too, so that neither many
 * streams nor many sandboxes fill the memory together.
 */
public final class Room {

    private final long most;
    private final Room around;
    private long used;
    private boolean closed;

    /** The outermost, of all sandboxes of a server. */
    public Room(long most) {
        this(most, null);
    }

    private Room(long most, Room around) {
        if (most < 1) {
            throw new IllegalArgumentException("a room for " + most + " bytes");
        }
        this.most = most;
        this.around = around;
    }

    /** A smaller one within this. */
    public Room within(long bytes) {
        return new Room(bytes, this);
    }

    public long most() {
        return most;
    }

    /** How much of it is taken. */
    public synchronized long used() {
        return used;
    }

    /**
     * Takes so much until it is given back or this is closed.
     *
     * @throws AgentException {@code too_large} where there is no room, here or around; nothing is
     *     taken then
     */
    void take(long bytes) {
        synchronized (this) {
            if (!closed && used + bytes <= most) {
                if (around != null) {
                    around.take(bytes);
                }
                used += bytes;
                return;
            }
        }
        throw AgentException.tooLarge("the sandbox says more at once than is held of it");
    }

    void give(long bytes) {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (bytes > used) {
                throw new IllegalArgumentException(bytes + " bytes given back of " + used);
            }
            used -= bytes;
        }
        if (around != null) {
            around.give(bytes);
        }
    }

    /** Gives back what is taken; there is no room in it any more. */
    void close() {
        long left;
        synchronized (this) {
            left = closed ? 0 : used;
            closed = true;
            used = 0;
        }
        if (around != null && left > 0) {
            around.give(left);
        }
    }
}
