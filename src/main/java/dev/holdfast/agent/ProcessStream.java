package dev.holdfast.agent;

import jakarta.json.JsonObject;
import java.nio.ByteBuffer;

/** Follows one process. Letting go of it does not end the process. */
public final class ProcessStream {

    private final AgentStream stream;

    ProcessStream(AgentStream stream) {
        this.stream = stream;
    }

    /**
     * Gives back so many bytes of output: the agent sends at most 256 KiB that were not given back.
     */
    public void consumed(int bytes) {
        stream.consumed(bytes);
    }

    /** No event comes any more, but for those on their way; the process runs on. */
    public void detach() {
        stream.cancel();
    }

    static ProcessStream begin(AgentChannel channel, JsonObject request, ProcessEvents events) {
        return new ProcessStream(channel.begin(request, Bound.BYTES, listener(events)));
    }

    private static AgentStream.Listener listener(ProcessEvents events) {
        return new AgentStream.Listener() {
            @Override
            public void accepted(Members result) {
                events.onStarted(result.number("pid", 0));
            }

            @Override
            public void received(int sub, ByteBuffer bytes) {
                var channel = OutputChannel.of(sub);
                if (channel != null) {
                    events.onOutput(channel, bytes);
                }
            }

            @Override
            public void ended(Members result) {
                events.onEnd(ProcessEnd.of(result));
            }

            @Override
            public void failed(AgentException failure) {
                events.onError(failure);
            }
        };
    }
}
