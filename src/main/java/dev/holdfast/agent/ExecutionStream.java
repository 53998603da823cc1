package dev.holdfast.agent;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;

/** Follows one execution. Letting go of it interrupts its code. */
public final class ExecutionStream {

    private static final int GRANT = 64 * 1024;

    private final AgentStream stream;
    private final Receiving receiving;

    private ExecutionStream(AgentStream stream, Receiving receiving) {
        this.stream = stream;
        this.receiving = receiving;
    }

    static ExecutionStream begin(
            AgentChannel channel, ExecutionOrder order, ExecutionEvents events) {
        var receiving = new Receiving(events);
        var stream = channel.begin(order.json(), Bound.EXECUTION, receiving);
        var code = ByteBuffer.wrap(order.code().getBytes(StandardCharsets.UTF_8));
        // What keeps it from arriving ends the stream, and that is told to the events.
        stream.send(code, true).exceptionally(failure -> null);
        return new ExecutionStream(stream, receiving);
    }

    /** So much of what was told is dealt with: at most 256 KiB come that were not given back. */
    public void consumed(int cost) {
        receiving.consumed(cost);
    }

    /**
     * Nobody is interested any more: code that waits is never run, code that runs is interrupted.
     */
    public void cancel() {
        stream.cancel();
    }

    /**
     * Puts events together. An event can be longer than the credit, so what it is made of is given
     * back while it comes; but only while nothing waits with its reader, so that a slow reader
     * holds up one event and not many.
     */
    private static final class Receiving implements AgentStream.Listener {

        private final ExecutionEvents events;
        private final Map<OutputChannel, Characters> texts = new EnumMap<>(OutputChannel.class);
        private AgentStream stream;
        private JsonLines lines;
        private long lent;
        private int kept;

        /** What was given back of the event that has begun. */
        private int returned;

        private Receiving(ExecutionEvents events) {
            this.events = events;
        }

        private void consumed(int cost) {
            int all = cost;
            synchronized (this) {
                lent -= cost;
                if (lent == 0) {
                    all += kept;
                    kept = 0;
                }
            }
            stream.consumed(all);
        }

        @Override
        public void begun(AgentStream from) {
            stream = from;
            lines = new JsonLines(Bound.EXECUTION, from.room());
        }

        @Override
        public void accepted(Members result) {
            var id = result.text("context");
            if (!ContextId.isWellFormed(id)) {
                throw AgentException.reset("a context without an ID");
            }
            events.onAccepted(new ContextId(id));
        }

        @Override
        public void received(int sub, ByteBuffer bytes) {
            var channel = OutputChannel.of(sub);
            if (channel != null) {
                var cost = bytes.remaining();
                var text =
                        texts.computeIfAbsent(channel, c -> new Characters()).decode(bytes, false);
                tell(new ExecutionEvent.Output(channel, text), cost);
            } else {
                collect(bytes);
            }
        }

        private void collect(ByteBuffer bytes) {
            lines.read(
                    bytes,
                    (line, cost) -> {
                        var left = cost - returned;
                        returned = 0;
                        ExecutionEvent.of(line)
                                .ifPresentOrElse(told -> tell(told, left), () -> giveBack(left));
                    });
            var begun = lines.begun() - returned;
            if (begun >= GRANT) {
                giveBack(begun);
                returned += begun;
            }
        }

        private void tell(ExecutionEvent said, int cost) {
            synchronized (this) {
                lent += cost;
            }
            events.onEvent(said, cost);
        }

        private void giveBack(int cost) {
            synchronized (this) {
                if (lent > 0) {
                    kept += cost;
                    return;
                }
            }
            stream.consumed(cost);
        }

        @Override
        public void ended(Members result) {
            texts.forEach(
                    (channel, text) -> {
                        var rest = text.decode(ByteBuffer.allocate(0), true);
                        if (!rest.isEmpty()) {
                            events.onEvent(new ExecutionEvent.Output(channel, rest), 0);
                        }
                    });
            events.onEnd();
        }

        @Override
        public void failed(AgentException failure) {
            events.onError(failure);
        }
    }
}
