package dev.holdfast.agent;

import jakarta.json.JsonObject;
import java.nio.ByteBuffer;

/** Follows one watched directory. */
public final class WatchStream {

    private static final ByteBuffer MARK = ByteBuffer.allocate(1).asReadOnlyBuffer();

    private final AgentStream stream;

    WatchStream(AgentStream stream) {
        this.stream = stream;
    }

    /**
     * Gives back the cost of events: the agent sends at most 256 KiB that were not given back, and
     * ends the watch when it has to keep more than 2 MiB.
     */
    public void consumed(int bytes) {
        stream.consumed(bytes);
    }

    /** Asks to be told when everything that has happened so far has been told. */
    public void mark() {
        stream.send(MARK.duplicate(), false);
    }

    /** No event comes any more, but for those on their way. */
    public void close() {
        stream.cancel();
    }

    static WatchStream begin(AgentChannel channel, JsonObject request, WatchEvents events) {
        return new WatchStream(channel.begin(request, Bound.WATCH, new Lines(events)));
    }

    /** Puts lines together; a line is never longer than what the agent has credit for. */
    private static final class Lines implements AgentStream.Listener {

        private final WatchEvents events;
        private JsonLines lines;

        /** What lines cost that this side does not know; it goes with the next one. */
        private int owed;

        private Lines(WatchEvents events) {
            this.events = events;
        }

        @Override
        public void begun(AgentStream stream) {
            lines = new JsonLines(Bound.WATCH, stream.room());
        }

        @Override
        public void accepted(Members result) {
            events.onStarted();
        }

        @Override
        public void received(int sub, ByteBuffer bytes) {
            lines.read(bytes, this::said);
        }

        private void said(Members members, int cost) {
            owed += cost;
            if (members.has("mark")) {
                events.onMark(owed());
            } else {
                FileEvent.of(members).ifPresent(event -> events.onEvent(event, owed()));
            }
        }

        private int owed() {
            var all = owed;
            owed = 0;
            return all;
        }

        @Override
        public void ended(Members result) {
            events.onError(AgentException.unavailable("the watch is over"));
        }

        @Override
        public void failed(AgentException failure) {
            events.onError(failure);
        }
    }
}
