package dev.holdfast.agent;

/**
 * Room for what sandboxes said and what is to be said to them, in bytes. One within another: what
 * is taken of a stream's is taken of its sandbox's and of the server's too, so that neither many
 * streams nor many sandboxes fill the memory together.
 */
public final class Room {

    private final long most;
    private final Room around;
    private final long own;
    private long used;
    private boolean closed;

    /** The outermost, of all sandboxes of a server. */
    public Room(long most) {
        this(most, null, 0);
    }

    private Room(long most, Room around, long own) {
        if (most < 1) {
            throw new IllegalArgumentException("a room for " + most + " bytes");
        }
        this.most = most;
        this.around = around;
        this.own = own;
    }

    /** A smaller one within this. */
    public Room within(long bytes) {
        return within(bytes, 0);
    }

    /**
     * The same of one among many that know nothing of each other.
     *
     * @param own how much of it there is also where the others have taken all that is around, so
     *     that they cannot silence it
     */
    Room within(long bytes, long own) {
        return new Room(bytes, this, own);
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
        take(bytes, false);
    }

    /**
     * @param due whether it is had also where there is no room
     */
    private void take(long bytes, boolean due) {
        synchronized (this) {
            if (!closed && (due || used + bytes <= most)) {
                if (around != null) {
                    around.take(bytes, due || used + bytes <= own);
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
