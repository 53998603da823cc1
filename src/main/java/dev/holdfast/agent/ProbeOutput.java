package dev.holdfast.agent;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What a process of ours inside a sandbox writes, in pieces, each when it is asked for: at most 256
 * KiB wait here. Asking for the next piece gives the former one back. It ends well only if the
 * process did.
 */
final class ProbeOutput implements ProcessEvents {

    private static final int KILL = 9;
    private static final int MOST_COMPLAINED = 2048;

    private final Agent agent;
    private final Room room;
    private final Pieces pieces;
    private final StringBuilder complaint = new StringBuilder();
    private final CompletableFuture<Long> pid = new CompletableFuture<>();
    private ProcessStream stream;

    private ProbeOutput(Agent agent) {
        this.agent = agent;
        this.room = agent.room().within(Bound.LOOK.held());
        this.pieces = new Pieces(room.within(Bound.BYTES.held()));
    }

    static ProbeOutput begin(Agent agent, ProcessStart start) {
        var output = new ProbeOutput(agent);
        synchronized (output) {
            output.stream = agent.start(start, output);
        }
        return output;
    }

    /** Where it is held, and what is put together of it; closed when it is cancelled. */
    Room room() {
        return room;
    }

    /** Its process, once it has started. */
    CompletionStage<Long> pid() {
        return pid;
    }

    /** The next piece, or nothing at the end. One question at a time. */
    CompletionStage<Optional<ByteBuffer>> next() {
        return pieces.next(back -> stream().consumed(back));
    }

    /** The rest is not wanted: its process is ended. */
    void cancel() {
        if (!pieces.isOver()) {
            // Let go of before its number has come, it could not be ended any more.
            pid.thenAccept(
                    number -> {
                        stream().detach();
                        agent.signal(ProcessRef.pid(number), KILL);
                    });
        }
        pieces.drop();
        room.close();
    }

    private synchronized ProcessStream stream() {
        return stream;
    }

    @Override
    public void onStarted(long number) {
        pid.complete(number);
    }

    @Override
    public void onOutput(OutputChannel channel, ByteBuffer bytes) {
        if (channel == OutputChannel.STDOUT) {
            pieces.add(bytes);
            return;
        }
        int length = bytes.remaining();
        if (complaint.length() < MOST_COMPLAINED) {
            complaint.append(StandardCharsets.UTF_8.decode(bytes.duplicate()));
        }
        stream().consumed(length);
    }

    @Override
    public void onEnd(ProcessEnd end) {
        // 3 is a refusal that it has told in its output.
        boolean well = end.signal() == 0 && (end.exitCode() == 0 || end.exitCode() == 3);
        if (well) {
            pieces.end(null);
        } else {
            onError(
                    new AgentException(
                            ErrorCode.INTERNAL,
                            "what looks into the sandbox failed: " + complaint));
        }
    }

    @Override
    public void onError(AgentException reason) {
        pieces.end(reason);
        pid.completeExceptionally(reason);
    }
}
