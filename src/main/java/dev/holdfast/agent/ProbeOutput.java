package dev.holdfast.agent;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
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
    private final Deque<ByteBuffer> pieces = new ArrayDeque<>();
    private final StringBuilder complaint = new StringBuilder();
    private final CompletableFuture<Long> pid = new CompletableFuture<>();
    private CompletableFuture<Optional<ByteBuffer>> asked;
    private ProcessStream stream;
    private AgentException failure;
    private boolean over;
    private int lent;

    private ProbeOutput(Agent agent) {
        this.agent = agent;
    }

    static ProbeOutput begin(Agent agent, ProcessStart start) {
        var output = new ProbeOutput(agent);
        synchronized (output) {
            output.stream = agent.start(start, output);
        }
        return output;
    }

    /** Its process, once it has started. */
    CompletionStage<Long> pid() {
        return pid;
    }

    /** The next piece, or nothing at the end. One question at a time. */
    CompletionStage<Optional<ByteBuffer>> next() {
        int back;
        CompletableFuture<Optional<ByteBuffer>> answer = new CompletableFuture<>();
        synchronized (this) {
            if (asked != null) {
                throw new IllegalStateException("the former piece has not come yet");
            }
            back = lent;
            lent = 0;
            asked = answer;
        }
        if (back > 0) {
            stream().consumed(back);
        }
        answer();
        return answer;
    }

    /** The rest is not wanted: its process is ended. */
    void cancel() {
        boolean running;
        synchronized (this) {
            running = !over;
        }
        if (running) {
            // Let go of before its number has come, it could not be ended any more.
            pid.thenAccept(
                    number -> {
                        stream().detach();
                        agent.signal(ProcessRef.pid(number), KILL);
                    });
            finish(new AgentException(ErrorCode.UNAVAILABLE, "cancelled"));
        }
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
            synchronized (this) {
                pieces.add(bytes);
            }
            answer();
            return;
        }
        int length = bytes.remaining();
        if (complaint.length() < MOST_COMPLAINED) {
            complaint.append(java.nio.charset.StandardCharsets.UTF_8.decode(bytes.duplicate()));
        }
        stream().consumed(length);
    }

    @Override
    public void onEnd(ProcessEnd end) {
        // 3 is a refusal that it has told in its output.
        boolean well = end.signal() == 0 && (end.exitCode() == 0 || end.exitCode() == 3);
        if (well) {
            finish(null);
        } else {
            onError(
                    new AgentException(
                            ErrorCode.INTERNAL,
                            "what looks into the sandbox failed: " + complaint));
        }
    }

    @Override
    public void onError(AgentException reason) {
        finish(reason);
        pid.completeExceptionally(reason);
    }

    private void finish(AgentException reason) {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            failure = reason;
        }
        answer();
    }

    private void answer() {
        CompletableFuture<Optional<ByteBuffer>> waiting;
        Optional<ByteBuffer> piece;
        synchronized (this) {
            if (asked == null || pieces.isEmpty() && !over) {
                return;
            }
            waiting = asked;
            asked = null;
            piece = Optional.ofNullable(pieces.poll());
            lent = piece.map(ByteBuffer::remaining).orElse(0);
        }
        if (piece.isEmpty() && failure != null) {
            waiting.completeExceptionally(failure);
        } else {
            waiting.complete(piece);
        }
    }
}
