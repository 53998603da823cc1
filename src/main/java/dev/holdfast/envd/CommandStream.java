package dev.holdfast.envd;

import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.OutputChannel;
import dev.holdfast.agent.ProcessEnd;
import dev.holdfast.agent.ProcessEvents;
import dev.holdfast.agent.ProcessRef;
import dev.holdfast.agent.ProcessStream;
import jakarta.ws.rs.core.Response;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * What a client sees of one process. A client that leaves leaves it alone; it dies only of the
 * deadline of the call that started it.
 */
final class CommandStream implements ProcessEvents {

    private static final int KILL = 9;

    private final Call call;
    private final boolean owns;
    private final StreamedCall stream;
    private volatile long pid;

    /**
     * @param owns whether the deadline is the process's or only the stream's
     */
    CommandStream(Call call, CallTerms terms, boolean owns) {
        this.call = call;
        this.owns = owns;
        this.stream = new StreamedCall(call, terms, ProcessMessages.keepalive(), this::killIfOwned);
    }

    /** Tells where the events come from; they may have begun to come. */
    void follows(ProcessStream process) {
        stream.follows(
                new StreamedCall.Source() {
                    @Override
                    public void consumed(int cost) {
                        process.consumed(cost);
                    }

                    @Override
                    public void leave() {
                        process.detach();
                    }
                });
    }

    CompletionStage<Response> response() {
        return stream.response();
    }

    @Override
    public void onStarted(long number) {
        pid = number;
        if (!stream.begin(ProcessMessages.started(number))) {
            killIfOwned();
            stream.leave();
        }
    }

    @Override
    public void onOutput(OutputChannel channel, ByteBuffer bytes) {
        int cost = bytes.remaining();
        stream.send(ProcessMessages.output(channel, bytes), cost);
    }

    @Override
    public void onEnd(ProcessEnd end) {
        stream.send(ProcessMessages.ended(end), 0);
        stream.end();
    }

    @Override
    public void onError(AgentException failure) {
        stream.fail(failure);
    }

    private void killIfOwned() {
        if (owns) {
            call.agent().signalGroup(ProcessRef.pid(pid), KILL);
        }
    }
}
