package dev.holdfast.agent;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * From the hello to the answer that repeats our incarnation; and from then on, that no frame is
 * missing or repeated.
 */
final class Handshake {

    private final String incarnation = UUID.randomUUID().toString();
    private final CompletableFuture<Hello> answer = new CompletableFuture<>();
    private boolean begun;
    private boolean done;
    private long skippedBefore = -1;
    private int expected;

    CompletableFuture<Hello> begin() {
        if (begun) {
            throw new IllegalStateException("a channel is connected once");
        }
        begun = true;
        return answer;
    }

    String hello() {
        return Members.BUILDERS
                .createObjectBuilder()
                .add("incarnation", incarnation)
                .add(
                        "versions",
                        Members.BUILDERS
                                .createArrayBuilder()
                                .add(AgentChannel.VERSION)
                                .add(AgentChannel.VERSION))
                .add("max", Frame.MAX_PAYLOAD)
                .build()
                .toString();
    }

    boolean done() {
        return done;
    }

    /**
     * Whether the frame belongs to this incarnation; what comes before the matching answer does
     * not.
     */
    boolean admits(Frame frame, Executor executor) {
        if (done) {
            if (frame.sequence() != expected) {
                throw AgentException.reset(
                        "frame "
                                + Integer.toUnsignedString(frame.sequence())
                                + " came where "
                                + Integer.toUnsignedString(expected)
                                + " was due");
            }
            expected++;
            return true;
        }
        if (!begun || frame.kind() != Frame.Kind.HELLO_ACK || frame.has(Frame.MORE)) {
            return false;
        }
        var text = new byte[frame.payload().remaining()];
        frame.payload().duplicate().get(text);
        var members = Members.parse(text);
        if (!members.text("incarnation").equals(incarnation)) {
            return false;
        }
        var version = members.number("version", -1);
        if (members.has("refused") || version != AgentChannel.VERSION) {
            throw new AgentException(
                    ErrorCode.FAILED_PRECONDITION,
                    "no common protocol: " + members.text("refused"));
        }
        done = true;
        expected = frame.sequence() + 1;
        answer.completeAsync(() -> Hello.of(members), executor);
        return true;
    }

    /**
     * How many bytes had been skipped when the channel came to be connected: up to here they were
     * leftovers.
     */
    long skipped(long now) {
        if (skippedBefore < 0) {
            skippedBefore = now;
        }
        return skippedBefore;
    }

    void fail(AgentException reason) {
        answer.completeExceptionally(reason);
    }
}
