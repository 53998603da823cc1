package dev.holdfast.agent;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Follows one execution. Letting go of it interrupts its code. */
public final class ExecutionStream {

    /** How long the text of one event may be; the agent keeps to less. */
    private static final int LONGEST_EVENT = 10 * 1024 * 1024;

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
        var stream = channel.begin(order.json(), receiving);
        receiving.stream.complete(stream);
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
        private final ByteArrayOutputStream event = new ByteArrayOutputStream();
        private final CompletableFuture<AgentStream> stream = new CompletableFuture<>();
        private long lent;
        private int kept;
        private int costOfEvent;
        private boolean over;

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
            var back = all;
            stream.thenAccept(from -> from.consumed(back));
        }

        @Override
        public void accepted(Members result) {
            var id = result.text("context");
            if (!ContextId.isWellFormed(id)) {
                over = true;
                var nonsense = AgentException.reset("a context without an ID");
                events.onError(nonsense);
                throw nonsense;
            }
            events.onAccepted(new ContextId(id));
        }

        @Override
        public void received(int sub, ByteBuffer bytes) {
            if (over) {
                return;
            }
            try {
                read(sub, bytes);
            } catch (AgentException nonsense) {
                over = true;
                events.onError(nonsense);
                throw nonsense;
            }
        }

        private void read(int sub, ByteBuffer bytes) {
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
            while (bytes.hasRemaining()) {
                var next = bytes.get();
                costOfEvent++;
                if (next != '\n') {
                    event.write(next);
                    continue;
                }
                var text = event.toByteArray();
                event.reset();
                var cost = costOfEvent;
                costOfEvent = 0;
                ExecutionEvent.of(Members.parse(text))
                        .ifPresentOrElse(told -> tell(told, cost), () -> giveBack(cost));
            }
            if (event.size() > LONGEST_EVENT) {
                throw AgentException.reset("an event is larger than " + LONGEST_EVENT + " bytes");
            }
            if (costOfEvent >= GRANT) {
                giveBack(costOfEvent);
                costOfEvent = 0;
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
            stream.thenAccept(from -> from.consumed(cost));
        }

        @Override
        public void ended(Members result) {
            if (over) {
                return;
            }
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
            if (!over) {
                events.onError(failure);
            }
        }
    }
}
